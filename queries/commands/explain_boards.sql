-- The two boards of a benchmark: the micro mean of each model's latest run under two releases, over
-- the questions that each counts; and the points of all verdicts, also where a pending or hidden
-- one leaves the board without a score.
WITH sampled AS (
    SELECT run_id, count(*) AS n_samples
    FROM main.run_sample
    GROUP BY run_id
),

before_points AS (
    SELECT p.run_id, sum(coalesce(p.score, 0) / s.n_samples) AS points
    FROM before_release.pass_result AS p
    INNER JOIN sampled AS s ON p.run_id = s.run_id
    WHERE p.judge = $judge AND p.pass = 0
    GROUP BY p.run_id
),

after_points AS (
    SELECT p.run_id, sum(coalesce(p.score, 0) / s.n_samples) AS points
    FROM after_release.pass_result AS p
    INNER JOIN sampled AS s ON p.run_id = s.run_id
    WHERE p.judge = $judge_after AND p.pass = 0
    GROUP BY p.run_id
)

SELECT
    a.run_id, a.dataset, a.model, a.run, a.n AS n_before, b.n AS n_after, a.score AS score_before,
    b.score AS score_after, k.points AS points_before, l.points AS points_after
FROM before_release.ability_score AS a
INNER JOIN after_release.ability_score AS b
    ON
        a.run_id = b.run_id
        AND a.strategy = b.strategy
        AND a.ability_id = b.ability_id
        AND a.average = b.average
INNER JOIN before_points AS k ON a.run_id = k.run_id
INNER JOIN after_points AS l ON a.run_id = l.run_id
WHERE
    lower(a.benchmark) = lower($benchmark)
    AND a.is_latest
    AND a.strategy = 'vanilla'
    AND a.average = 'micro'
    AND a.ability_id = 0
    AND a.judge = $judge
    AND b.judge = $judge_after
ORDER BY a.dataset, a.model
