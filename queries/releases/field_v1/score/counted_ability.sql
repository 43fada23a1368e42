-- The abilities that have scores: all but those of levels that were taken away. One row per
-- ability.
SELECT *
FROM main.ability
WHERE superseded_by IS NULL
