-- The digits and the sign of a text that Python's int() reads, without zeros in front; NULL where
-- it is an error.
-- @engines both
CREATE MACRO python_int(text) AS
CASE
    WHEN regexp_matches(stripped(ascii_digits(text)), '\A[+-]?[0-9]+(_[0-9]+)*\z')
        THEN replace(
            regexp_replace(
                translate(stripped(ascii_digits(text)), '_+', ''), '\A(-?)0*([0-9])', '\1\2'
            ),
            '-0', '0'
        )
END
