-- The words of a text in lower case, each between single spaces: letters and digits of any
-- alphabet are in words, all else divides them.
-- @engines both
CREATE MACRO lower_words(answer) AS
(' ' || trim(regexp_replace(python_lower(answer), '[^\p{L}\p{M}\p{N}]+', ' ', 'g'), ' ') || ' ')
