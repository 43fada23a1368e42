-- What published scores and figures become, and the abilities that they are of.

-- name: find_ability
-- MM-Vet has capabilities and, further down, sets of just one of them.
SELECT a.ability_id
FROM main.ability AS a
INNER JOIN main.ability_spelling AS s ON a.ability_id = s.ability_id
WHERE
    a.benchmark_id = $benchmark_id
    AND lower(s.spelling) = lower(trim($name))
    AND ($level IS NULL OR a.level = $level)
ORDER BY a.ordinal
LIMIT 1

-- name: add_score
INSERT INTO main.published_score VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: add_figure
INSERT INTO main.harness_figure (model_id, benchmark_id, task, label, judge, metric, value, source_id)
VALUES (?, ?, ?, ?, NULL, ?, ?, ?)
