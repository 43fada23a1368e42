-- Whether a text is one word of ASCII letters and digits.
-- @engines both
CREATE MACRO is_simple_word(text) AS regexp_matches(text, '\A[0-9A-Za-z]+\z')
