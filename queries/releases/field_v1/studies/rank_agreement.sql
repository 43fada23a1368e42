-- How far two columns of scores rank the models alike: Kendall's tau-b (Kendall 1945, Biometrika
-- 33), over the models that have both. Datasets with datasets and abilities of a level with each
-- other, under one judge, and judges with judges on one dataset; releases with each other by
-- `evalhouse study rank_agreement --against RELEASE`. One row per pair of columns with at least two
-- models in common.
-- @kind dataset, ability or judge: what the two columns are.
-- @dataset Of abilities and judges theirs; NULL for datasets.
-- @level Of abilities their level.
-- @judge Of datasets and abilities the judge; NULL for judges.
-- @one The column whose name comes first.
-- @other The other one.
-- @n_models Models with a score in both.
-- @n_concordant Pairs of models that both rank alike.
-- @n_discordant Pairs that they rank the other way round.
-- @tau_b Kendall's tau-b; NULL: one of the two has all models equal.
WITH figure AS (
    SELECT *
    FROM board_column
),

long AS (
    SELECT
        'dataset' AS kind, CAST(NULL AS VARCHAR) AS dataset, CAST(NULL AS VARCHAR) AS level, judge,
        dataset AS name, model, round(score, 12) AS score
    FROM figure
    WHERE ability_id = 0
    UNION ALL
    SELECT
        'ability' AS kind, dataset, level, judge, ability AS name, model, round(score, 12) AS score
    FROM figure
    WHERE ability_id <> 0
    UNION ALL
    SELECT
        'judge' AS kind, dataset, CAST(NULL AS VARCHAR) AS level, CAST(NULL AS VARCHAR) AS judge,
        judge AS name, model, round(score, 12) AS score
    FROM figure
    WHERE ability_id = 0
),

paired AS (
    SELECT
        a.kind, a.dataset, a.level, a.judge, a.name AS one, b.name AS other, a.model, a.score AS x,
        b.score AS y
    FROM long AS a
    INNER JOIN long AS b
        ON
            a.kind = b.kind
            AND a.model = b.model
            AND a.dataset IS NOT DISTINCT FROM b.dataset
            AND a.level IS NOT DISTINCT FROM b.level
            AND a.judge IS NOT DISTINCT FROM b.judge
            AND a.name < b.name
),

counted AS (
    SELECT
        a.kind, a.dataset, a.level, a.judge, a.one, a.other,
        sum(CASE WHEN (a.x > b.x AND a.y > b.y) OR (a.x < b.x AND a.y < b.y) THEN 1 ELSE 0 END) AS n_concordant,
        sum(CASE WHEN (a.x > b.x AND a.y < b.y) OR (a.x < b.x AND a.y > b.y) THEN 1 ELSE 0 END) AS n_discordant,
        sum(CASE WHEN a.x <> b.x THEN 1 ELSE 0 END) AS n_apart_x,
        sum(CASE WHEN a.y <> b.y THEN 1 ELSE 0 END) AS n_apart_y
    FROM paired AS a
    INNER JOIN paired AS b
        ON
            a.kind = b.kind
            AND a.one = b.one
            AND a.other = b.other
            AND a.dataset IS NOT DISTINCT FROM b.dataset
            AND a.level IS NOT DISTINCT FROM b.level
            AND a.judge IS NOT DISTINCT FROM b.judge
            AND a.model < b.model
    GROUP BY a.kind, a.dataset, a.level, a.judge, a.one, a.other
),

sized AS (
    SELECT kind, dataset, level, judge, one, other, count(*) AS n_models
    FROM paired
    GROUP BY kind, dataset, level, judge, one, other
)

SELECT
    c.kind, c.dataset, c.level, c.judge, c.one, c.other, z.n_models,
    CAST(c.n_concordant AS BIGINT) AS n_concordant, CAST(c.n_discordant AS BIGINT) AS n_discordant,
    (1e0 * (c.n_concordant - c.n_discordant)) / nullif(sqrt((1e0 * c.n_apart_x) * c.n_apart_y), 0) AS tau_b
FROM counted AS c
INNER JOIN sized AS z
    ON
        c.kind = z.kind
        AND c.one = z.one
        AND c.other = z.other
        AND c.dataset IS NOT DISTINCT FROM z.dataset
        AND c.level IS NOT DISTINCT FROM z.level
        AND c.judge IS NOT DISTINCT FROM z.judge
