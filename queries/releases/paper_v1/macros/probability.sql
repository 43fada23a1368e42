-- A probability that rounding may have put above 1.
CREATE MACRO probability(chance) AS CASE WHEN chance > 1 THEN 1.0 ELSE chance END
