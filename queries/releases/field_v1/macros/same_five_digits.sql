-- Whether a number is another one written with five significant digits, 0 or 1; NULL is no number.
-- @digits The one with five digits.
CREATE MACRO same_five_digits(digits, exact_number) AS
CASE
    WHEN digits = exact_number THEN 1.0
    WHEN exact_number = 0.0 THEN 0.0
    -- Half a unit of the fifth digit; the logarithm is rounded down.
    WHEN
        abs(digits - exact_number)
        <= 0.500001 * exp(ln(10.0) * (round(ln(abs(exact_number)) / ln(10.0) - 0.499999999) - 4.0))
        THEN 1.0
    ELSE 0.0
END
