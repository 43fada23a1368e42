-- SEED-Bench, Figure 1: the questions of each dimension, and how models do on them. One row per
-- run, judge and dimension; a dataset without a run has one per judge and dimension, with the
-- questions alone.
-- @dimension The dimension.
-- @run_id The run, as in main.run; NULL: the dataset has none.
-- @model The model's name; NULL: the dataset has no run.
-- @n Questions of the dimension.
-- @percent The model's accuracy on them, in percent; NULL while pending or hidden, or without a
--   run.
-- @overall The model's accuracy on all questions, in percent.
-- @overall_rank Its rank by that; ties share.
-- @coverage Questions of the dimension that were answered, in percent of all.
WITH with_overall AS (
    SELECT
        *,
        max(CASE WHEN level = 'overall' THEN percent END) OVER (PARTITION BY run_id, judge) AS overall,
        max(CASE WHEN level = 'overall' THEN place END) OVER (PARTITION BY run_id, judge) AS overall_rank
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench'
),

-- What the dataset holds is known without a run.
counted AS (
    SELECT d.name AS dataset, d.benchmark_id, l.ability_id, count(*) AS n
    FROM question_level AS l
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE
        b.name = 'SEED-Bench'
        AND d.dataset_id NOT IN (SELECT r.dataset_id FROM current_run AS r)
    GROUP BY d.name, d.benchmark_id, l.ability_id
)

SELECT
    dataset, judge, run_id, model, ability AS dimension, ability_ordinal, n, percent, overall,
    overall_rank, coverage
FROM with_overall
WHERE level = 'dimension'
UNION ALL
SELECT
    c.dataset, j.judge, CAST(NULL AS INTEGER) AS run_id, CAST(NULL AS VARCHAR) AS model,
    t.ability AS dimension, t.ordinal AS ability_ordinal, c.n, CAST(NULL AS DOUBLE) AS percent,
    CAST(NULL AS DOUBLE) AS overall, CAST(NULL AS BIGINT) AS overall_rank,
    CAST(NULL AS DOUBLE) AS coverage
FROM counted AS c
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
INNER JOIN judge_scope AS j ON j.task = 'choice_extraction' AND j.is_first
WHERE t.level = 'dimension'
