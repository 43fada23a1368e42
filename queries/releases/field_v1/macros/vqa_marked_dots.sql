-- The text with the full stops that stay, those before a digit, as a character that is none
-- (U+FDD1).
-- @engines both
CREATE MACRO vqa_marked_dots(text) AS regexp_replace(text, '[.](\p{Nd})', '﷑\1', 'g')
