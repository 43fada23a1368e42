-- The abilities that have scores: all. One row per ability.
-- @internal
SELECT *
FROM main.ability
