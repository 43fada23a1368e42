-- The place of the last occurrence of a text in another one that contains it.
-- @engines both
CREATE MACRO last_place(text, part) AS length(text) - length(part) + 2 - strpos(reverse(text), reverse(part))
