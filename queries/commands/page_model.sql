-- A model's latest runs by ability, next to those of another model: each benchmark under its own
-- strategy and average, in the paper's order.
WITH shown AS (
    SELECT l.*, b.task
    FROM leaderboard AS l
    INNER JOIN main.benchmark AS b ON l.benchmark = b.name AND l.strategy = b.strategy
    WHERE l.is_latest AND (l.average = b.average OR l.level <> 'overall' AND l.average = 'micro')
)

SELECT
    a.run_id, a.benchmark, a.task, a.dataset, a.run, a.strategy, a.judge, a.level, a.ability,
    a.abbreviation, a.ability_id, a.n, a.score, a.score_low, a.score_high, a.n_pending,
    a.rank_latest, o.score AS other_score, o.run_id AS other_run_id
FROM shown AS a
LEFT JOIN shown AS o
    ON
        a.dataset_id = o.dataset_id
        AND a.judge = o.judge
        AND a.ability_id = o.ability_id
        AND a.average = o.average
        AND o.model = $other
WHERE a.model = $model
ORDER BY a.dataset, a.judge, a.ability_ordinal
