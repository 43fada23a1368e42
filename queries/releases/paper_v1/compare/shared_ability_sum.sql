-- What has to be added to the squared error of a macro average because questions of several
-- abilities share their images, or one question is filed under several: the covariances of the
-- abilities' means, after Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), equation 4 in
-- Section 2.2, for clusters (see question_cluster) that are in more than one of the abilities
-- averaged over. One row per run, strategy, judge, subset and ability that has such clusters.
-- @internal
-- @n_extra By how much the clusters of the abilities, added up, are more than there are.
-- @products Twice the sum of the covariances; to be divided by the squared number of abilities.
WITH filed AS (
    SELECT
        l.question_id, l.subset, b.ability_id, b.base_id, c.cluster_id,
        min(b.base_id) OVER (PARTITION BY l.subset, b.ability_id, c.cluster_id) AS first_id,
        max(b.base_id) OVER (PARTITION BY l.subset, b.ability_id, c.cluster_id) AS last_id
    FROM subset_level AS l
    INNER JOIN question_cluster AS c USING (question_id)
    INNER JOIN ability_base AS b ON l.ability_id = b.base_id
),

by_ability AS (
    SELECT
        q.run_id, q.strategy, q.judge, f.subset, f.ability_id, f.base_id, f.cluster_id,
        count(*) AS n, CAST(sum(CAST(q.score_low AS DECIMAL(25, 15))) AS DOUBLE) AS points
    FROM question_result AS q
    INNER JOIN filed AS f USING (question_id)
    WHERE
        f.first_id < f.last_id
        AND q.n_expected > 0
        AND q.counted
        AND q.score_low IS NOT NULL
    GROUP BY q.run_id, q.strategy, q.judge, f.subset, f.ability_id, f.base_id, f.cluster_id
),

apart AS (
    SELECT b.*, (b.points - b.n * (s.points / s.n)) / s.n AS residual
    FROM by_ability AS b
    INNER JOIN subset_score AS s
        ON
            b.run_id = s.run_id
            AND b.subset = s.subset
            AND b.strategy = s.strategy
            AND b.judge = s.judge
            AND b.base_id = s.ability_id
    WHERE s.average = 'micro' AND s.score IS NOT NULL
),

by_cluster AS (
    SELECT
        run_id, strategy, judge, subset, ability_id, cluster_id, count(*) AS n_abilities,
        CAST(sum(CAST(residual AS DECIMAL(30, 20))) AS DOUBLE) AS residual,
        CAST(sum(CAST(residual * residual AS DECIMAL(30, 20))) AS DOUBLE) AS squares
    FROM apart
    GROUP BY run_id, strategy, judge, subset, ability_id, cluster_id
    HAVING count(*) > 1
)

SELECT
    run_id, strategy, judge, subset, ability_id, CAST(sum(n_abilities - 1) AS BIGINT) AS n_extra,
    CAST(sum(CAST(residual * residual - squares AS DECIMAL(30, 20))) AS DOUBLE) AS products
FROM by_cluster
GROUP BY run_id, strategy, judge, subset, ability_id
