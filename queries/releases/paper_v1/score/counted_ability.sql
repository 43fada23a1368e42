-- The abilities that have scores: all. One row per ability.
-- @internal
SELECT ability_id, benchmark_id, level, name, abbreviation, ordinal, parent_id
FROM main.ability
