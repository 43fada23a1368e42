-- Whether a text is one word of ASCII.
-- @engines both
CREATE MACRO is_one_word(text) AS regexp_matches(text, '\A[!-~]+\z')
