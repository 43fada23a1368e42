-- The words of a text between single spaces: letters and digits are in words, a full stop stands
-- for whatever else than white space divides them and for the end.
-- @engines both
CREATE MACRO letters_apart(text) AS
(' ' || regexp_replace(
    regexp_replace(spaced(text), '[^\p{L}\p{M}\p{N} ]+', ' . ', 'g'), ' +', ' ', 'g'
) || ' . ')
