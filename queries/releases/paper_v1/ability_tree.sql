-- The abilities of every benchmark, and Overall above them all. One row per ability, and one per benchmark for Overall.
-- @ability_id The ability; 0 for Overall.
-- @parent_id The ability above; 0 at the top of the taxonomy, NULL for Overall.
SELECT
    benchmark_id,
    ability_id,
    level,
    name AS ability,
    abbreviation,
    ordinal,
    coalesce(parent_id, 0) AS parent_id
FROM main.ability
UNION ALL
SELECT
    benchmark_id,
    0 AS ability_id,
    'overall' AS level,
    'Overall' AS ability,
    'Overall' AS abbreviation,
    -1 AS ordinal,
    NULL AS parent_id
FROM main.benchmark
