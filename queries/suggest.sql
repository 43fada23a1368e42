-- What a subset of questions is chosen by.

-- name: scores
SELECT m.dataset, m.dataset_id, m.model, m.question_id, m.score
FROM {source} AS m
INNER JOIN main.dataset AS d ON m.dataset_id = d.dataset_id
WHERE
    NOT m.is_blind
    AND m.judge = list_extract($judges, list_position($datasets, m.dataset))
    AND d.benchmark_id = $benchmark_id
ORDER BY ALL
