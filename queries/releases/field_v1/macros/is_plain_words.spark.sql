-- Whether a text is letters, digits and spaces alone, which most answers to visual questions are.
CREATE MACRO is_plain_words(text) AS NOT regexp_like(text, '[^\\p{L}\\p{M}\\p{N} ]')
