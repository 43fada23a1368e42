-- The variance of vanilla_all's score, which is over passes: a question weighs as much as it has passes, and its passes are no more independent of each other than questions on one image. Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), equation 4 in Section 2.2, with the passes' weights; with as many passes for each question it is the mean over questions. One row per run, strategy (vanilla_all), judge, subset and ability.
-- @n_clusters Questions, those with the same images counted once (see question_cluster).
-- @variance_questions The square of the standard error over questions; NULL: fewer than two.
-- @variance The same over clusters; NULL: fewer than two.
WITH by_cluster AS (
    SELECT
        q.run_id,
        q.strategy,
        q.judge,
        l.subset,
        l.ability_id,
        c.cluster_id,
        count(*) AS n,
        sum(q.n_expected) AS weight,
        sum(q.n_expected * q.n_expected) AS weights,
        sum(CAST(q.n_expected * q.score_low AS DECIMAL(25, 15))) AS points,
        sum(CAST(q.n_expected * q.n_expected * q.score_low AS DECIMAL(25, 15))) AS products,
        sum(CAST(q.n_expected * q.n_expected * q.score_low * q.score_low AS DECIMAL(25, 15))) AS squares
    FROM question_result AS q
    INNER JOIN question_cluster AS c ON q.question_id = c.question_id
    INNER JOIN subset_level AS l ON q.question_id = l.question_id
    WHERE q.strategy = 'vanilla_all' AND q.n_expected > 0 AND q.counted
    GROUP BY q.run_id, q.strategy, q.judge, l.subset, l.ability_id, c.cluster_id
),

by_ability AS (
    SELECT
        run_id,
        strategy,
        judge,
        subset,
        ability_id,
        CAST(sum(n) AS BIGINT) AS n,
        count(*) AS n_clusters,
        CAST(sum(weight) AS DOUBLE) AS weight,
        CAST(sum(points) AS DOUBLE) / CAST(sum(weight) AS DOUBLE) AS mean,
        CAST(sum(weights) AS DOUBLE) AS weights,
        CAST(sum(products) AS DOUBLE) AS products,
        CAST(sum(squares) AS DOUBLE) AS squares,
        CAST(sum(weight * weight) AS DOUBLE) AS cluster_weights,
        CAST(sum(CAST(CAST(points AS DOUBLE) * weight AS DECIMAL(25, 12))) AS DOUBLE) AS cluster_products,
        CAST(sum(CAST(CAST(points AS DOUBLE) * CAST(points AS DOUBLE) AS DECIMAL(25, 12))) AS DOUBLE) AS cluster_squares
    FROM by_cluster
    GROUP BY run_id, strategy, judge, subset, ability_id
),

spread AS (
    SELECT
        *,
        squares - 2 * mean * products + mean * mean * weights AS residuals,
        cluster_squares - 2 * mean * cluster_products + mean * mean * cluster_weights AS cluster_residuals
    FROM by_ability
)

SELECT
    run_id,
    strategy,
    judge,
    subset,
    ability_id,
    n_clusters,
    CASE
        WHEN n < 2 THEN NULL
        WHEN residuals < 1e-12 * weights THEN 0.0
        ELSE residuals * n / (n - 1) / (weight * weight)
    END AS variance_questions,
    CASE
        WHEN n_clusters < 2 THEN NULL
        WHEN residuals < 1e-12 * weights THEN 0.0
        ELSE (cluster_residuals + residuals / (n - 1)) / (weight * weight)
    END AS variance
FROM spread
