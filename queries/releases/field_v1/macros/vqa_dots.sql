-- The text without its full stops, and with those that vqa_marked_dots keeps.
CREATE MACRO vqa_dots(text) AS replace(replace(text, '.', ''), '﷑', '.')
