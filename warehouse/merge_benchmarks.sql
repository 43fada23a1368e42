-- What two warehouses declare of the benchmarks that both have, after the maps of merge_maps.sql.

-- name: shared
SELECT b.other_id, b.id, m.name
FROM merge_benchmark AS b
INNER JOIN main.benchmark AS m ON b.id = m.benchmark_id
WHERE NOT b.is_new
ORDER BY m.name

-- name: benchmark_rule
SELECT benchmark_id, superseded_by IS NULL AS holds, rule, attribute, value, normaliser, tolerance
FROM {place}.benchmark_rule
ORDER BY benchmark_id, ordinal

-- name: benchmark_group
SELECT benchmark_id, superseded_by IS NULL AS holds, name, counts, attribute, pattern, size, modulo
FROM {place}.benchmark_group
ORDER BY benchmark_id, ordinal, rowid

-- name: benchmark_figure
SELECT
    benchmark_id, superseded_by IS NULL AS holds, name, aggregate, strategy, level, scale,
    coalesce(parts, []) AS parts, coalesce(metrics, []) AS metrics
FROM {place}.benchmark_figure
ORDER BY benchmark_id, ordinal

-- name: level
SELECT benchmark_id, bool_or(superseded_by IS NULL) AS holds, level
FROM {place}.ability
GROUP BY benchmark_id, level
ORDER BY benchmark_id, min(ordinal)

-- name: benchmark
SELECT benchmark_id, strategy, average, macro_level, thinking
FROM {place}.benchmark

-- name: declare
CREATE OR REPLACE TEMP TABLE merge_declared (
    table_name VARCHAR, benchmark_id INTEGER, name VARCHAR, ordinal SMALLINT
)

-- name: find_trees
-- The uppermost level that an ability stands under, by its id here: levels of one tree say the same
-- of a question, and levels of two are apart.
CREATE OR REPLACE TEMP TABLE merge_tree AS
WITH here AS (
    SELECT a.ability_id, coalesce(r.level, q.level, p.level, a.level) AS tree
    FROM main.ability AS a
    LEFT JOIN main.ability AS p ON a.parent_id = p.ability_id
    LEFT JOIN main.ability AS q ON p.parent_id = q.ability_id
    LEFT JOIN main.ability AS r ON q.parent_id = r.ability_id
)

SELECT *
FROM here
UNION ALL
SELECT m.id AS ability_id, coalesce(r.level, q.level, p.level, a.level) AS tree
FROM the_other.main.ability AS a
INNER JOIN merge_ability AS m ON a.ability_id = m.other_id AND m.is_new
LEFT JOIN the_other.main.ability AS p ON a.parent_id = p.ability_id
LEFT JOIN the_other.main.ability AS q ON p.parent_id = q.ability_id
LEFT JOIN the_other.main.ability AS r ON q.parent_id = r.ability_id

-- name: source_of_level
SELECT min(source_id)
FROM main.ability
WHERE benchmark_id = $benchmark_id AND level = $level
