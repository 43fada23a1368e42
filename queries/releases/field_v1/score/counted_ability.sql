-- The abilities that have scores: all but those of levels that were taken away. One row per
-- ability.
-- @internal
SELECT ability_id, benchmark_id, level, name, abbreviation, ordinal, parent_id
FROM main.ability
WHERE superseded_by IS NULL
