-- The number that a text is to Python's float(), which reads more than a plain number: digits of
-- any alphabet, 1_000, inf, nan; NULL where it is an error.
-- @engines both
CREATE MACRO python_float(text) AS
CASE
    WHEN regexp_matches(stripped(ascii_digits(text)), '\A[+-]?((?i:inf|infinity|nan)|([0-9]+(_[0-9]+)*[.]?([0-9]+(_[0-9]+)*)?|[.][0-9]+(_[0-9]+)*)([eE][+-]?[0-9]+(_[0-9]+)*)?)\z')
        THEN TRY_CAST(replace(stripped(ascii_digits(text)), '_', '') AS DOUBLE)
END
