-- The abilities of every benchmark, and Overall above them all. One row per ability, and one per
-- benchmark for Overall.
-- @ability_id The ability; 0 for Overall.
-- @parent_id The ability above; 0 at the top of the benchmark's first level, NULL for Overall and
--   for other tops, such as MM-Vet's integrations: each level is a separate division, and Overall
--   is averaged over one.
SELECT
    benchmark_id, ability_id, level, name AS ability, abbreviation, ordinal,
    CASE
        WHEN parent_id IS NOT NULL THEN parent_id
        WHEN
            level = first_value(level) OVER (
                PARTITION BY benchmark_id
                ORDER BY CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, ordinal, ability_id
            )
            THEN 0
    END AS parent_id
FROM counted_ability
UNION ALL
SELECT
    benchmark_id, 0 AS ability_id, 'overall' AS level, 'Overall' AS ability,
    'Overall' AS abbreviation, -1 AS ordinal, NULL AS parent_id
FROM main.benchmark
