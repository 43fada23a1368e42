-- Whether a text is words of ASCII with single spaces between them.
-- @engines both
CREATE MACRO is_squeezed(text) AS regexp_matches(text, '\A[!-~]+( [!-~]+)*\z')
