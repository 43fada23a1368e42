-- The text with the full stops that stay, those next to a digit, as a character that is none
-- (U+FDD1).
-- @engines both
CREATE MACRO vqa_marked_dots(text) AS
regexp_replace(regexp_replace(text, '(\p{Nd})[.]', '\1﷑', 'g'), '[.](\p{Nd})', '﷑\1', 'g')
