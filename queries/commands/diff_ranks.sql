-- Scores and ranks that change on each benchmark's own board, under judge none.
SELECT
    a.dataset, a.model, a.run, a.strategy, a.score AS before, b.score AS after,
    a.rank AS rank_before, b.rank AS rank_after
FROM before_release.leaderboard AS a
INNER JOIN after_release.leaderboard AS b
    ON
        a.run_id = b.run_id
        AND a.strategy = b.strategy
        AND a.judge = b.judge
        AND a.ability_id = b.ability_id
        AND a.average = b.average
INNER JOIN main.benchmark AS k ON a.benchmark = k.name AND a.strategy = k.strategy
WHERE
    a.judge = 'none'
    AND a.level = 'overall'
    AND a.average = 'micro'
    AND (a.score IS DISTINCT FROM b.score OR a.rank IS DISTINCT FROM b.rank)
ORDER BY a.dataset, rank_after, a.model
