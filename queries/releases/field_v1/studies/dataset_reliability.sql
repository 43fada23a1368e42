-- How well a dataset tells models apart: Cronbach's alpha over the models, which is KR-20 where
-- scores are right or wrong (Kuder and Richardson 1937), and how much of it can be answered without
-- the image. Over each model's latest run, and the questions that all of them have a score of. One
-- row per dataset and judge with at least two models.
-- @n_models Models.
-- @n Questions that all have a score of.
-- @alpha Cronbach's alpha; NULL: all models have the same total, or there is one question.
-- @stderr_of_measurement How far a model's score would be off by alpha: the models' spread times
--   √(1 - alpha).
-- @n_blind Runs that saw the question alone (main.run_input).
-- @blind_score Mean score of these; NULL: there are none, or verdicts of theirs are pending.
-- @share_solved_blind Share of the questions of which these have a mean score above one half, so
--   that more than half of them are right; NULL as above.
WITH given AS (
    SELECT *
    FROM model_answer
),

seen AS (
    SELECT *
    FROM given
    WHERE NOT is_blind
),

sized AS (
    SELECT dataset_id, judge, count(DISTINCT run_id) AS n_models
    FROM seen
    GROUP BY dataset_id, judge
    HAVING count(DISTINCT run_id) > 1
),

items AS (
    SELECT
        s.dataset_id, s.judge, s.question_id, z.n_models,
        stddev_pop(s.score) * stddev_pop(s.score) AS variance
    FROM seen AS s
    INNER JOIN sized AS z USING (dataset_id, judge)
    GROUP BY s.dataset_id, s.judge, s.question_id, z.n_models
    HAVING count(*) = z.n_models
),

totals AS (
    SELECT s.dataset_id, s.judge, s.run_id, sum(s.score) AS points
    FROM seen AS s
    INNER JOIN items AS i USING (question_id, judge)
    GROUP BY s.dataset_id, s.judge, s.run_id
),

spread AS (
    SELECT
        dataset_id, judge, stddev_pop(points) * stddev_pop(points) AS variance,
        stddev_samp(points) AS deviation
    FROM totals
    GROUP BY dataset_id, judge
),

summed AS (
    SELECT dataset_id, judge, max(n_models) AS n_models, count(*) AS n, sum(variance) AS variances
    FROM items
    GROUP BY dataset_id, judge
),

blind_item AS (
    SELECT
        dataset_id, judge, question_id, avg(score) AS score, count(*) AS n_blind,
        max(n_unknown) AS n_unknown
    FROM given
    WHERE is_blind
    GROUP BY dataset_id, judge, question_id
),

blind AS (
    SELECT
        dataset_id, judge, max(n_blind) AS n_blind,
        CASE WHEN max(n_unknown) = 0 THEN avg(score) END AS blind_score,
        CASE WHEN max(n_unknown) = 0 THEN avg(CASE WHEN score > 0.5 THEN 1.0 ELSE 0.0 END) END AS share_solved_blind
    FROM blind_item
    GROUP BY dataset_id, judge
),

measured AS (
    SELECT
        s.*, p.deviation,
        CASE
            WHEN s.n > 1 AND p.variance > 1e-12
                THEN ((1e0 * s.n) / (s.n - 1)) * (1 - s.variances / p.variance)
        END AS alpha
    FROM summed AS s
    INNER JOIN spread AS p USING (dataset_id, judge)
)

SELECT
    d.name AS dataset, m.dataset_id, m.judge, m.n_models, m.n, m.alpha,
    CASE WHEN m.alpha <= 1 THEN m.deviation / m.n * sqrt(1 - m.alpha) END AS stderr_of_measurement,
    coalesce(b.n_blind, 0) AS n_blind, b.blind_score, b.share_solved_blind
FROM measured AS m
INNER JOIN main.dataset AS d USING (dataset_id)
LEFT JOIN blind AS b USING (dataset_id, judge)
