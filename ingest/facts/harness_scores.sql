-- What a harness made of the answers, from `stage_harness_score` to the runs of `stage_run`.
--
-- Figures of a harness, from `stage_harness_figure` to facts.

-- name: of_no_answer
-- {staged} is stage_prediction or stage_score.
SELECT s.row, s.question_key, s.metric
FROM stage_harness_score AS s
ANTI JOIN {staged} AS p
    ON
        s.model = p.model
        AND s.split IS NOT DISTINCT FROM p.split
        AND s.question_key = p.question_key
        AND s.pass = p.pass
        AND s.sample = p.sample
ORDER BY s.row
LIMIT 1

-- name: duplicates
SELECT max(row) AS row, question_key, metric, filter
FROM stage_harness_score
GROUP BY model, split, question_key, pass, sample, metric, filter
HAVING count(*) > 1
ORDER BY row
LIMIT 1

-- name: count_news
SELECT r.run_id, count(*) AS n
FROM stage_harness_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON s.model = r.model AND b.split_key = r.split_key
ANTI JOIN main.harness_score AS h
    ON
        r.run_id = h.run_id
        AND b.question_id = h.question_id
        AND s.pass = h.pass
        AND s.sample = h.sample
        AND s.metric = h.metric
        AND s.filter IS NOT DISTINCT FROM h.filter
GROUP BY r.run_id
ORDER BY r.run_id

-- name: add
INSERT INTO main.harness_score (
    run_id, question_id, pass, sample, metric, filter, value, score, answer, source_id
)
SELECT
    r.run_id, b.question_id, s.pass, s.sample, s.metric, s.filter, s.value, s.score, s.answer,
    $source_id
FROM stage_harness_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON s.model = r.model AND b.split_key = r.split_key
ANTI JOIN main.harness_score AS h
    ON
        r.run_id = h.run_id
        AND b.question_id = h.question_id
        AND s.pass = h.pass
        AND s.sample = h.sample
        AND s.metric = h.metric
        AND s.filter IS NOT DISTINCT FROM h.filter

-- name: join_former
INSERT INTO main.harness_score (
    run_id, question_id, pass, sample, metric, filter, value, score, answer, source_id
)
SELECT
    f.run_id, p.question_id, p.pass, p.sample, p.metric, p.filter, p.value, p.score, p.answer,
    p.source_id
FROM stage_former AS f
INNER JOIN main.harness_score AS p ON f.former_id = p.run_id
ANTI JOIN main.harness_score AS n
    ON
        f.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample
        AND p.metric = n.metric
        AND p.filter IS NOT DISTINCT FROM n.filter

-- name: models
SELECT DISTINCT model
FROM stage_harness_figure
ORDER BY model

-- name: add_figures
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
