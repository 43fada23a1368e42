-- MMBench, Figure 4: how often each choice is right, and how often each model picks it, over every
-- pass. One row per source and label, under each judge: the dataset's answers, and each model's
-- latest run.
-- @source Right answers, or the model.
-- @source_ordinal 0 for the right answers, 1 for a model.
-- @run_id The run, as in main.run; NULL: the right answers.
-- @label A choice's label, X where the judge says that it is none of them, and apart from these
--   unresolved (the rules match none) and pending.
-- @n Answers with that label.
-- @n_answers Answers in all; missing ones are not among them.
-- @share n as a share of n_answers, in percent.
WITH judges AS (
    SELECT judge, judge_sample
    FROM judge_scope
    WHERE task = 'choice_extraction' AND is_first
),

datasets AS (
    SELECT d.dataset_id, d.name AS dataset
    FROM main.dataset AS d
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.name = 'MMBench'
),

sources AS (
    SELECT dataset_id, dataset, run_id, model AS source, 1 AS source_ordinal
    FROM current_run
    WHERE benchmark = 'MMBench' AND is_latest
    UNION ALL
    SELECT dataset_id, dataset, -1 AS run_id, 'Right answers' AS source, 0 AS source_ordinal
    FROM datasets
),

labels AS (
    SELECT DISTINCT q.dataset_id, c.label
    FROM main.choice AS c
    INNER JOIN main.question AS q USING (question_id)
),

right_labels AS (
    SELECT dataset_id, answer AS label, count(*) AS n
    FROM dataset_pass
    WHERE answer IS NOT NULL
    GROUP BY dataset_id, answer
),

counted AS (
    SELECT p.run_id, s.dataset_id, p.judge, coalesce(p.predicted, p.resolved_by) AS label, 1 AS n
    FROM pass_result AS p
    INNER JOIN sources AS s USING (run_id)
    INNER JOIN judges AS j USING (judge, judge_sample)
    WHERE p.resolved_by <> 'missing'
    UNION ALL
    SELECT -1 AS run_id, r.dataset_id, j.judge, r.label, r.n
    FROM right_labels AS r
    CROSS JOIN judges AS j
    UNION ALL
    -- A choice that no model picks has a row too.
    SELECT s.run_id, s.dataset_id, j.judge, l.label, 0 AS n
    FROM sources AS s
    INNER JOIN labels AS l USING (dataset_id)
    CROSS JOIN judges AS j
),

summed AS (
    SELECT dataset_id, run_id, judge, label, CAST(sum(n) AS BIGINT) AS n
    FROM counted
    GROUP BY dataset_id, run_id, judge, label
),

totalled AS (
    SELECT *, CAST(sum(n) OVER (PARTITION BY dataset_id, run_id, judge) AS BIGINT) AS n_answers
    FROM summed
)

SELECT
    s.dataset, t.judge, nullif(t.run_id, -1) AS run_id, s.source, s.source_ordinal, t.label, t.n,
    t.n_answers, 100 * CAST(t.n AS DOUBLE) / nullif(t.n_answers, 0) AS share
FROM totalled AS t
INNER JOIN sources AS s USING (dataset_id, run_id)
