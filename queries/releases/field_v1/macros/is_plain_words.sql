-- Whether a text is letters, digits and spaces alone, which most answers to visual questions are.
-- @engines both
CREATE MACRO is_plain_words(text) AS NOT regexp_matches(text, '[^\p{L}\p{M}\p{N} ]')
