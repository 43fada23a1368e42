-- What two runs can be compared on.
--
-- What two runs can be clustered by.

-- name: datasets
SELECT d.name, b.name
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
ORDER BY 1

-- name: attributes
SELECT DISTINCT a.name
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
WHERE r.run_id = $run_id
ORDER BY 1
