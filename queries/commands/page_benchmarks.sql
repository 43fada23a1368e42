-- Each benchmark with runs: how much there is of it.
WITH sizes AS (
    SELECT d.benchmark_id, count(DISTINCT d.dataset_id) AS n_datasets, count(*) AS n_questions
    FROM main.question AS q
    INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
    GROUP BY d.benchmark_id
)

SELECT
    r.benchmark, any_value(b.strategy) AS strategy, any_value(r.task) AS task,
    any_value(s.n_datasets) AS n_datasets, any_value(s.n_questions) AS n_questions,
    count(DISTINCT r.model_id) AS n_models, count(*) AS n_runs,
    max(coalesce(r.produced_at, r.ingested_at)) AS last_at
FROM current_run AS r
INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
INNER JOIN sizes AS s ON r.benchmark_id = s.benchmark_id
GROUP BY r.benchmark
ORDER BY r.benchmark
