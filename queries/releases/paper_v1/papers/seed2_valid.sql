-- SEED-Bench-2, leaderboard rule: a dimension counts with valid responses to at least half of its
-- questions. One row per run, judge and dimension, each model's latest run, and one for the mean
-- over the dimensions that count.
-- @dimension The dimension, or Mean of valid ones.
-- @is_total Whether it is the mean.
-- @n Questions.
-- @n_valid Those whose answer could be read or ranked: a label by the rules, by the judge (X
--   included) or by the scores.
-- @valid_share n_valid in percent of n.
-- @is_valid Whether the dimension counts; for the mean, whether any does.
-- @n_dimensions Dimensions that it stands for: 1, or those that count.
-- @percent Right answers in percent of n, where the dimension counts; NULL where it does not, and
--   while pending or hidden.
WITH dimensions AS (
    SELECT
        v.dataset, v.judge, v.run_id, v.model, v.ability, v.ability_ordinal, v.n, v.n_valid,
        CASE WHEN v.is_valid THEN 1 ELSE 0 END AS counts,
        100 * v.score AS percent
    FROM response_validity AS v
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.benchmark = 'SEED-Bench-2' AND r.is_latest AND v.level = 'dimension'
),

means AS (
    SELECT
        dataset, judge, run_id, model, max(ability_ordinal) + 1 AS ability_ordinal, sum(n) AS n,
        sum(n_valid) AS n_valid, sum(counts) AS counts,
        CASE WHEN count(percent) = sum(counts) THEN avg(percent) END AS percent
    FROM dimensions
    GROUP BY dataset, judge, run_id, model
)

SELECT
    dataset, judge, run_id, model, ability AS dimension, ability_ordinal, FALSE AS is_total, n,
    n_valid, 100 * CAST(n_valid AS DOUBLE) / n AS valid_share, counts = 1 AS is_valid,
    CAST(1 AS BIGINT) AS n_dimensions, percent
FROM dimensions
UNION ALL
SELECT
    dataset, judge, run_id, model, 'Mean of valid ones' AS dimension, ability_ordinal,
    TRUE AS is_total, CAST(n AS BIGINT) AS n, CAST(n_valid AS BIGINT) AS n_valid,
    100 * CAST(n_valid AS DOUBLE) / n AS valid_share, counts > 0 AS is_valid,
    CAST(counts AS BIGINT) AS n_dimensions, percent
FROM means
