-- What has to be added to a standard error over questions because some share their images: the sums
-- of Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), equation 4 in Section 2.2, over pairs
-- of questions of a cluster (see question_cluster). Only questions that share an image are looked
-- at. One row per run, strategy, judge, subset and ability that has such pairs.
-- @internal
-- @n_extra Questions less clusters.
-- @products Sum of the products of two scores of a cluster, over its ordered pairs of questions.
-- @sums Sum of the first score of such a pair.
-- @n_pairs Such pairs.
WITH by_cluster AS (
    SELECT
        q.run_id, q.strategy, q.judge, l.subset, l.ability_id, c.cluster_id, count(*) AS n,
        CAST(sum(CAST(q.score_low AS DECIMAL(25, 15))) AS DOUBLE) AS points,
        CAST(sum(CAST(q.score_low * q.score_low AS DECIMAL(25, 15))) AS DOUBLE) AS squares
    FROM question_result AS q
    INNER JOIN question_cluster AS c USING (question_id)
    INNER JOIN subset_level AS l USING (question_id)
    WHERE
        c.n_sharing > 1
        AND q.n_expected > 0
        AND q.counted
        AND q.score_low IS NOT NULL
    GROUP BY q.run_id, q.strategy, q.judge, l.subset, l.ability_id, c.cluster_id
    HAVING count(*) > 1
)

SELECT
    run_id, strategy, judge, subset, ability_id, CAST(sum(n - 1) AS BIGINT) AS n_extra,
    CAST(sum(CAST(points * points - squares AS DECIMAL(30, 15))) AS DOUBLE) AS products,
    CAST(sum(CAST(points * (n - 1) AS DECIMAL(30, 15))) AS DOUBLE) AS sums,
    CAST(sum(n * (n - 1)) AS BIGINT) AS n_pairs
FROM by_cluster
GROUP BY run_id, strategy, judge, subset, ability_id
