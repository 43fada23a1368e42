-- How many characters the longer of two texts has.
CREATE MACRO longer_length(one, other) AS
CASE WHEN length(one) > length(other) THEN length(one) ELSE length(other) END
