-- What each model's latest run of a benchmark still waits for, added up by judge, under its own
-- strategy.
SELECT
    l.benchmark, l.judge, count(DISTINCT l.run_id) AS n_runs,
    CAST(sum(l.n_pending) AS BIGINT) AS n_pending, CAST(sum(l.n_missing) AS BIGINT) AS n_missing,
    CAST(sum(l.n_fallback) AS BIGINT) AS n_fallback
FROM leaderboard AS l
INNER JOIN main.benchmark AS b ON l.benchmark = b.name AND l.strategy = b.strategy
WHERE l.level = 'overall' AND l.average = 'micro' AND l.is_latest
GROUP BY l.benchmark, l.judge
ORDER BY l.benchmark, l.judge
