-- What `score` shows of each run: by the benchmark's own strategy and average, and of a benchmark
-- without abilities its main figure. One row per run, judge and ability.
-- @internal
-- @table per run
-- @key judge ability_id
-- @figure The name of the figure; Overall where the benchmark declares none.
-- @average micro or macro: that of the benchmark, and micro where an ability has none below it.
-- @score A fraction from 0 to 1, or as the figure is scaled; NULL while pending or hidden.
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
        -- No view has the judge that nobody asked.
        AND replace(s.judge, ' ', '') <> ''
        AND b.benchmark_id IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
)

SELECT
    run_id, dataset_id, ability_id, figure, strategy, average, judge, score, score_low, score_high,
    n, n_answered, n_missing, n_pending
FROM of_ability
WHERE place = 1
UNION ALL
SELECT
    s.run_id, d.dataset_id, s.ability_id, s.figure, s.strategy, b.average, s.judge, s.score,
    s.score_low, s.score_high, s.n, s.n_answered, s.n_missing, s.n_pending
FROM benchmark_score AS s
INNER JOIN main.run AS r USING (run_id)
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE
    s.figure_ordinal = 0
    AND replace(s.judge, ' ', '') <> ''
    AND b.benchmark_id NOT IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
