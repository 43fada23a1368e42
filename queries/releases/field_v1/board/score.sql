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
        s.is_latest
        AND s.strategy = b.strategy
        AND b.benchmark_id IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
),

found AS (
    SELECT
        run_id, dataset_id, benchmark, dataset, model, run, level, ability, abbreviation,
        ability_ordinal, ability_id, figure, strategy, average, judge, score, score_low, score_high,
        n, n_answered, n_missing, n_pending
    FROM of_ability
    WHERE place = 1
    UNION ALL
    SELECT
        s.run_id, d.dataset_id, s.benchmark, s.dataset, s.model, s.run, s.level, s.ability,
        s.abbreviation, s.ability_ordinal, s.ability_id, s.figure, s.strategy, b.average, s.judge,
        s.score, s.score_low, s.score_high, s.n, s.n_answered, s.n_missing, s.n_pending
    FROM benchmark_score AS s
    INNER JOIN main.run AS r USING (run_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE
        s.is_latest
        AND s.figure_ordinal = 0
        AND b.benchmark_id NOT IN (SELECT benchmark_id FROM main.ability WHERE superseded_by IS NULL)
),

-- One judge's, for both at once: it takes a plan of every result.
chosen AS (
    SELECT f.*, j.n_judges
    FROM found AS f
    INNER JOIN default_judge AS j ON f.dataset_id = j.dataset_id AND f.judge = j.judge AND j.is_own
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
