-- The one figure of each run under each judge: by the benchmark's own strategy and average, and of
-- a benchmark without abilities its main figure of benchmark_score. One row per run, judge and
-- ability; Overall is the whole dataset. `score` has those of each model's latest run under the
-- default judge.
-- @table per run
-- @key judge ability_id
-- @figure The name of the figure; Overall where the benchmark declares none.
-- @average micro or macro: that of the benchmark, and micro where an ability has none below it.
-- @score A fraction from 0 to 1, or as the figure is scaled; NULL while pending or hidden.
-- @n Questions.
-- @n_answered Questions without a missing pass.
WITH of_ability AS (
    SELECT
        s.*, 'Overall' AS figure,
        row_number() OVER (
            PARTITION BY s.run_id, s.judge, s.ability_id
            ORDER BY CASE WHEN s.average = b.average THEN 0 ELSE 1 END
        ) AS place
    FROM ability_score AS s
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE
        s.strategy = b.strategy
        AND b.benchmark_id IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
)

SELECT
    run_id, dataset_id, benchmark, dataset, model, run, is_latest, level, ability, abbreviation,
    ability_ordinal, ability_id, figure, strategy, average, judge, score, score_low, score_high, n,
    n_answered, n_missing, n_pending
FROM of_ability
WHERE place = 1
UNION ALL
SELECT
    s.run_id, d.dataset_id, s.benchmark, s.dataset, s.model, s.run, s.is_latest, s.level, s.ability,
    s.abbreviation, s.ability_ordinal, s.ability_id, s.figure, s.strategy, b.average, s.judge,
    s.score, s.score_low, s.score_high, s.n, s.n_answered, s.n_missing, s.n_pending
FROM benchmark_score AS s
INNER JOIN main.run AS r USING (run_id)
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE
    s.figure_ordinal = 0
    AND b.benchmark_id NOT IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
