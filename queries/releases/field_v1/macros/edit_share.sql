-- The distance of two texts as a share of a length; 1 where their own lengths alone differ by more
-- than half of it, so that long answers cost nothing.
CREATE MACRO edit_share(one, other, whole) AS
CASE
    WHEN whole = 0 THEN 0.0
    WHEN 2 * abs(length(one) - length(other)) > whole THEN 1.0
    ELSE CAST(character_distance(one, other) AS DOUBLE) / whole
END
