-- Figures of a harness, from `stage_harness_figure` to facts.

-- name: models
SELECT DISTINCT model
FROM stage_harness_figure
ORDER BY model

-- name: count_news
SELECT count(*) AS n
FROM stage_harness_figure AS s
ANTI JOIN main.harness_figure AS f
    ON
        f.model_id = $model_id
        AND f.benchmark_id = $benchmark_id
        AND f.label = $label
        AND s.task = f.task
        AND s.judge IS NOT DISTINCT FROM f.judge
        AND s.metric = f.metric
        AND s.filter IS NOT DISTINCT FROM f.filter
        AND s.reducer IS NOT DISTINCT FROM f.reducer
        AND s.value IS NOT DISTINCT FROM f.value
WHERE s.model = $model

-- name: add
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, filter, reducer, value, source_id
)
SELECT
    $model_id, $benchmark_id, s.task, $label, s.judge, s.metric, s.filter, s.reducer, s.value,
    $source_id
FROM stage_harness_figure AS s
ANTI JOIN main.harness_figure AS f
    ON
        f.model_id = $model_id
        AND f.benchmark_id = $benchmark_id
        AND f.label = $label
        AND s.task = f.task
        AND s.judge IS NOT DISTINCT FROM f.judge
        AND s.metric = f.metric
        AND s.filter IS NOT DISTINCT FROM f.filter
        AND s.reducer IS NOT DISTINCT FROM f.reducer
        AND s.value IS NOT DISTINCT FROM f.value
WHERE s.model = $model
ORDER BY s.place
