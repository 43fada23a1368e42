-- Whether a text is words of ASCII with single spaces between them.
CREATE MACRO is_squeezed(text) AS regexp_like(text, '\\A[!-~]+( [!-~]+)*\\z')
