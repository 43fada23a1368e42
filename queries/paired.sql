-- What two runs can be compared on.

-- name: datasets
SELECT d.name, b.name
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
ORDER BY 1
