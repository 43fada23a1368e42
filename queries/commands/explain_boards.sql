-- The two boards of a benchmark: the micro mean of each model's latest run under two releases, over the
-- questions that each counts.
SELECT
    a.run_id,
    a.dataset,
    a.model,
    a.run,
    a.n AS n_before,
    b.n AS n_after,
    a.score AS score_before,
    b.score AS score_after,
    a.score_low * a.n AS points_before,
    b.score_low * b.n AS points_after
FROM before_release.ability_score AS a
INNER JOIN after_release.ability_score AS b
    ON
        a.run_id = b.run_id
        AND a.strategy = b.strategy
        AND a.ability_id = b.ability_id
        AND a.average = b.average
WHERE
    lower(a.benchmark) = lower($benchmark)
    AND a.is_latest
    AND a.strategy = 'vanilla'
    AND a.average = 'micro'
    AND a.ability_id = 0
    AND a.judge = $judge
    AND b.judge = $judge_after
ORDER BY a.dataset, a.model
