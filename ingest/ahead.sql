-- What an adapter that stages ahead may read of the warehouse, to read a file's path.

-- name: names
SELECT 'benchmark' AS kind, lower(name) AS word
FROM main.benchmark
UNION ALL
SELECT 'version', version
FROM main.dataset
WHERE version IS NOT NULL
