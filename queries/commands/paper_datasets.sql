-- What the notes on a dataset's figures need: its benchmark, which says how they are rounded, and
-- how many of its questions have a hidden answer.
WITH hidden AS (
    SELECT DISTINCT dataset_id, question_id
    FROM dataset_pass
    WHERE answer IS NULL
)

SELECT
    d.name AS dataset, b.name AS benchmark,
    count(CASE WHEN b.task = 'choice' THEN h.question_id END) AS n_hidden
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
LEFT JOIN hidden AS h ON d.dataset_id = h.dataset_id
GROUP BY d.name, b.name
