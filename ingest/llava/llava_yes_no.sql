-- name: questions
-- The questions of a benchmark by dataset, in the order in which they were read.
SELECT d.version, q.question_key, q.text
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE
    b.name = $benchmark
    AND d.version IS NOT NULL
    AND d.split IS NULL
    AND d.language IS NULL
    AND ($version IS NULL OR d.version = $version)
ORDER BY d.dataset_id, q.question_id;

-- name: has_own_questions
SELECT EXISTS (
    SELECT 1
    FROM main.question AS q
    INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
    INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
    WHERE b.name = $benchmark AND d.version IS NULL AND list_contains($keys, q.question_key)
) AS has_some
