-- What a benchmark's figures are the means of.

-- name: datasets
SELECT d.name, d.version, d.split, d.language
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE lower(b.name) = lower($benchmark)
ORDER BY 1

-- name: figures
SELECT name, aggregate, strategy, level, parts
FROM declared_figure
WHERE benchmark_id = $benchmark_id
ORDER BY ordinal
