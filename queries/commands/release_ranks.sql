-- How far two releases rank the models of a dataset alike under a judge: Kendall's tau-b as in
-- rank_agreement, over each model's latest run, by the benchmark's own strategy and average.
WITH latest_run AS (
    SELECT r.run_id, r.model, r.dataset, b.strategy, b.average
    FROM main.benchmark AS b
    INNER JOIN after_release.current_run AS r ON b.benchmark_id = r.benchmark_id
    WHERE r.is_latest
),

paired AS (
    SELECT
        q.dataset, q.model, x.judge, round(x.score, 12) AS x, round(y.score, 12) AS y,
        -- Without abilities the average is over questions.
        row_number() OVER (
            PARTITION BY q.run_id, x.judge
            ORDER BY CASE WHEN x.average = q.average THEN 0 ELSE 1 END
        ) AS place
    FROM latest_run AS q
    INNER JOIN before_release.ability_score AS x ON q.run_id = x.run_id AND q.strategy = x.strategy
    INNER JOIN after_release.ability_score AS y
        ON
            q.run_id = y.run_id
            AND q.strategy = y.strategy
            AND x.judge = y.judge
            AND x.ability_id = y.ability_id
            AND x.average = y.average
    WHERE x.ability_id = 0 AND x.score IS NOT NULL AND y.score IS NOT NULL AND x.average IN (q.average, 'micro')
),

column_ AS (
    SELECT *
    FROM paired
    WHERE place = 1
),

counted AS (
    SELECT
        a.dataset, a.judge,
        count(*) FILTER ((a.x > b.x AND a.y > b.y) OR (a.x < b.x AND a.y < b.y)) AS n_concordant,
        count(*) FILTER ((a.x > b.x AND a.y < b.y) OR (a.x < b.x AND a.y > b.y)) AS n_discordant,
        count(*) FILTER (a.x <> b.x) AS n_apart_x, count(*) FILTER (a.y <> b.y) AS n_apart_y
    FROM column_ AS a
    INNER JOIN column_ AS b ON a.dataset = b.dataset AND a.judge = b.judge AND a.model < b.model
    GROUP BY a.dataset, a.judge
),

sized AS (
    SELECT dataset, judge, count(*) AS n_models
    FROM column_
    GROUP BY dataset, judge
)

SELECT
    'release' AS kind, c.dataset, CAST(NULL AS VARCHAR) AS level, c.judge, $one AS one,
    $other AS other, z.n_models, c.n_concordant, c.n_discordant,
    (1e0 * (c.n_concordant - c.n_discordant)) / nullif(sqrt((1e0 * c.n_apart_x) * c.n_apart_y), 0) AS tau_b
FROM counted AS c
INNER JOIN sized AS z ON c.dataset = z.dataset AND c.judge = z.judge
ORDER BY c.dataset, c.judge
