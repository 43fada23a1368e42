-- The one figure of each model: of its latest run of each dataset, by the benchmark's own strategy
-- and average, under the default judge (default_judge). A benchmark without abilities has its main
-- figure of benchmark_score. One row per model, dataset and ability; Overall is the whole dataset.
-- @figure The name of the figure; Overall where the benchmark declares none.
-- @average micro or macro: that of the benchmark, and micro where an ability has none below it.
-- @score A fraction from 0 to 1, or as the figure is scaled; NULL while pending or hidden.
-- @rank Among the models of the same dataset and ability; ties share a rank.
-- @n Questions.
-- @n_answered Questions without a missing pass.
-- @n_judges Judges that there are scores under: where several, leaderboard has the others.
WITH chosen AS (
    SELECT s.*, j.n_judges
    FROM run_score AS s
    INNER JOIN default_judge AS j ON s.dataset_id = j.dataset_id AND s.judge = j.judge AND j.is_own
    WHERE s.is_latest
)

SELECT
    benchmark, dataset, model, ability, score,
    CASE
        WHEN score IS NOT NULL
            THEN rank() OVER (
                PARTITION BY dataset_id, ability_id
                ORDER BY round(score, 12) DESC NULLS LAST
            )
    END AS rank,
    score_low, score_high, n, n_answered, n_missing, n_pending, level, abbreviation,
    ability_ordinal, ability_id, figure, strategy, average, judge, n_judges, run, run_id, dataset_id
FROM chosen
