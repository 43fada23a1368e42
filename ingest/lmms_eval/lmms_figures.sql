-- The figures of a results file, which `raw` has by task.

-- name: tasks
SELECT task, count(*) AS n
FROM raw
GROUP BY task
ORDER BY min(__row)

-- name: add_figures
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, value, source_id
)
SELECT
    $model_id AS model_id, $benchmark_id AS benchmark_id, $task AS task, $label AS label,
    $judge AS judge, metric, value, $source_id AS source_id
FROM raw
WHERE task = $task
ORDER BY __row
