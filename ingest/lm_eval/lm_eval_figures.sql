-- The figures of a results file, which `raw` has by task, metric and filter.

-- name: tasks
SELECT task, count(*) AS n
FROM raw
GROUP BY task
ORDER BY min(__row)

-- name: runs_of_samples
-- The labels, without a filter's name, and benchmarks of the runs that a samples file brought.
SELECT coalesce(s.flags ->> '$.run', r.label) AS label, d.benchmark_id
FROM main.run AS r
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.source AS s ON r.source_id = s.source_id
WHERE
    r.model_id = $model_id
    AND contains(s.path, $samples)
    AND r.superseded_by IS NULL
    AND r.retracted_at IS NULL
ORDER BY r.run_id DESC
LIMIT 1

-- name: add_figures
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, value, source_id, filter
)
SELECT
    $model_id AS model_id, $benchmark_id AS benchmark_id, $task AS task,
    $label || coalesce('_' || filter, '') AS label, NULL AS judge, metric, value,
    $source_id AS source_id, filter
FROM raw
WHERE task = $task
ORDER BY __row
