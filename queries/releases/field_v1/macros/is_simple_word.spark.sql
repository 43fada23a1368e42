-- Whether a text is one word of ASCII letters and digits.
CREATE MACRO is_simple_word(text) AS regexp_like(text, '\\A[0-9A-Za-z]+\\z')
