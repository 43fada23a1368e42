-- What a table of one's own leaves to be found out.

-- name: look_at_letters
SELECT count(*) AS n, count(*) FILTER (regexp_full_match(cell, '[A-Z]')) AS n_letters, max(cell) AS last
FROM (SELECT nullif(trim({cell}), '') AS cell FROM raw)
WHERE cell IS NOT NULL

-- name: benchmark
SELECT benchmark_id
FROM main.benchmark
WHERE lower(name) = lower($name)

-- name: levels
SELECT DISTINCT a.level
FROM main.ability AS a
INNER JOIN main.benchmark AS b ON a.benchmark_id = b.benchmark_id
WHERE lower(b.name) = lower($name)

-- name: task
SELECT DISTINCT b.task
FROM main.benchmark AS b
INNER JOIN main.dataset AS d ON b.benchmark_id = d.benchmark_id
WHERE lower(b.name) = lower($name)
