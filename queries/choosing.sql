-- What there is to choose for a board.

-- name: groups
SELECT DISTINCT name
FROM main.benchmark_group
WHERE benchmark_id = $benchmark_id AND superseded_by IS NULL
ORDER BY name

-- name: levels
SELECT level, count(parent_id)
FROM main.ability
WHERE benchmark_id = $benchmark_id AND superseded_by IS NULL
GROUP BY level
ORDER BY min(ordinal)

-- name: subsets
SELECT DISTINCT s.name
FROM main.dataset_subset AS s
INNER JOIN main.dataset AS d ON s.dataset_id = d.dataset_id
WHERE d.benchmark_id = $benchmark_id AND s.superseded_by IS NULL
ORDER BY 1
