-- Whether a number is within a share of another, 1 or 0; only 0 is near 0.
CREATE MACRO number_is_near(number, reference, tolerance) AS
CASE
    WHEN reference = 0 THEN CASE WHEN number = 0 THEN 1.0 ELSE 0.0 END
    WHEN abs(number - reference) / abs(reference) <= tolerance THEN 1.0
    ELSE 0.0
END
