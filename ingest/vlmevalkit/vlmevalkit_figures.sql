-- The figures of a score file, which `raw` has as paths and values.

-- name: benchmarks
SELECT name
FROM main.benchmark
ORDER BY name

-- name: counts
SELECT count(value) AS n, count(*) - count(value) AS n_empty
FROM raw

-- name: add_figures
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, value, source_id
)
SELECT
    $model_id AS model_id, $benchmark_id AS benchmark_id, $task AS task, $label AS label,
    $judge AS judge, $part || metric AS metric, value, $source_id AS source_id
FROM raw
WHERE value IS NOT NULL
ORDER BY __row

-- name: add_all
INSERT INTO main.harness_figure BY NAME
FROM figures_frame
