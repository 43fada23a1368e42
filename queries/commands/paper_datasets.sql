-- What is said beside a dataset's figures: its benchmark, which says how they are rounded, and how many of its questions have a hidden answer.
SELECT
    d.name AS dataset,
    b.name AS benchmark,
    CAST(sum(CASE WHEN b.task = 'choice' AND s.n_hidden > 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_hidden
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
LEFT JOIN question_shape AS s ON d.dataset_id = s.dataset_id
GROUP BY d.name, b.name
