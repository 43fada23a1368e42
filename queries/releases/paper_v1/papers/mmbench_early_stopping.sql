-- MMBench, Section 4.2: the passes that stopping at the first wrong one saves under CircularEval.
-- One row per run and judge, and one per dataset and judge for all models together.
-- @run_id The run, as in main.run; NULL: all models together.
-- @model The model's name, or All models.
-- @is_total Whether it is the row of all models together.
-- @n_passes Passes that the dataset holds, times the run's samples.
-- @n_needed Passes up to the first wrong one of each question, that one included; a missing one is
--   wrong. NULL: pending verdicts could change it, or answers are hidden.
-- @saved Passes after that, in percent of n_passes.
-- @n_needed_low n_needed if every pending verdict turns out wrong.
-- @n_needed_high n_needed if every pending verdict turns out right.
-- @n_pending Passes without a usable reply yet.
-- @n_missing Passes without an answer.
WITH placed AS (
    SELECT question_id, pass, row_number() OVER (PARTITION BY question_id ORDER BY pass) AS place
    FROM dataset_pass
),

stops AS (
    SELECT
        p.run_id, p.question_id, p.sample, p.judge, count(*) AS n_passes,
        min(CASE WHEN p.score = 0.0 THEN d.place END) AS first_wrong,
        min(CASE WHEN p.score = 0.0 OR p.resolved_by = 'pending' THEN d.place END) AS first_unsure,
        sum(CASE WHEN p.resolved_by = 'pending' THEN 1 ELSE 0 END) AS n_pending,
        sum(CASE WHEN p.resolved_by = 'missing' THEN 1 ELSE 0 END) AS n_missing,
        sum(CASE WHEN p.answer IS NULL THEN 1 ELSE 0 END) AS n_hidden
    FROM pass_result AS p
    INNER JOIN placed AS d USING (question_id, pass)
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN judge_scope AS j USING (judge, judge_sample)
    WHERE
        r.benchmark = 'MMBench'
        AND r.is_latest
        AND j.task = 'choice_extraction'
        AND j.is_first
    GROUP BY p.run_id, p.question_id, p.sample, p.judge
),

summed AS (
    SELECT
        r.dataset, s.judge, s.run_id, r.model, FALSE AS is_total, sum(s.n_passes) AS n_passes,
        sum(coalesce(s.first_unsure, s.n_passes)) AS n_needed_low,
        sum(coalesce(s.first_wrong, s.n_passes)) AS n_needed_high, sum(s.n_pending) AS n_pending,
        sum(s.n_missing) AS n_missing, sum(s.n_hidden) AS n_hidden
    FROM stops AS s
    INNER JOIN current_run AS r USING (run_id)
    GROUP BY r.dataset, s.judge, s.run_id, r.model
),

with_total AS (
    SELECT * FROM summed
    UNION ALL
    SELECT
        dataset, judge, NULL AS run_id, 'All models' AS model, TRUE AS is_total,
        sum(n_passes) AS n_passes, sum(n_needed_low) AS n_needed_low,
        sum(n_needed_high) AS n_needed_high, sum(n_pending) AS n_pending,
        sum(n_missing) AS n_missing, sum(n_hidden) AS n_hidden
    FROM summed
    GROUP BY dataset, judge
),

known AS (
    SELECT
        *,
        CASE WHEN n_hidden = 0 AND n_needed_low = n_needed_high THEN n_needed_low END AS n_needed
    FROM with_total
)

SELECT
    dataset, judge, run_id, model, is_total, CAST(n_passes AS BIGINT) AS n_passes,
    CAST(n_needed AS BIGINT) AS n_needed,
    100 * CAST(n_passes - n_needed AS DOUBLE) / n_passes AS saved,
    CAST(CASE WHEN n_hidden = 0 THEN n_needed_low END AS BIGINT) AS n_needed_low,
    CAST(CASE WHEN n_hidden = 0 THEN n_needed_high END AS BIGINT) AS n_needed_high,
    CAST(n_pending AS BIGINT) AS n_pending, CAST(n_missing AS BIGINT) AS n_missing
FROM known
