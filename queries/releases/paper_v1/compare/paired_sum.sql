-- What the comparison of two runs rests on: the scores of the questions that both answered, added
-- up by ability (see paired_question). A question counts for an ability and a subset if it does so
-- in both runs' datasets. Under group:NAME the same of groups (see paired_group), of which none is
-- left out: a missing answer is wrong. One row per pair of runs, strategy, judge, subset and
-- ability, every pair in both orders.
-- @internal
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model. The names of two models go down to the results through every
--   grouping.
-- @model_b The second run's.
-- @n_common Questions that both datasets have.
-- @n Those that both runs answered and that have a score, on which everything else rests.
-- @n_missing_a Questions that the first run left without an answer to a pass.
-- @n_missing_b Questions that the second run did.
-- @n_hidden Questions whose answer is hidden.
-- @n_pending Questions of which a pending verdict could still change a score.
-- @n_clusters The n questions, those with the same images counted once.
-- @n_fractions Questions where one of the two scores is neither 0 nor 1.
-- @n_a_alone Questions that only the first run has right.
-- @n_b_alone Questions that only the second run has right.
-- @total_a Sum of the first run's scores.
-- @total_b Sum of the second run's scores.
-- @weight_a What these scores count for: n, under vanilla_all the passes of the questions.
-- @weight_b The same of the second run's.
-- @weighted_a Sum of the first run's scores by weight: under vanilla_all its right passes.
-- @weighted_b The same of the second run's.
-- @squares_a Sum of the squares of the first run's scores.
-- @squares_b Sum of the squares of the second run's scores.
-- @products Sum of the products of both runs' scores.
-- @cluster_sizes Sum of the squares of the numbers of questions of a cluster.
-- @cluster_products Sum of those numbers times the cluster's sum of differences.
-- @cluster_squares Sum of the squares of the clusters' sums of differences.
WITH by_cluster AS (
    SELECT
        q.run_a, q.run_b, q.model_a, q.model_b, q.strategy, q.judge, l.subset,
        l.ability_id, q.cluster_id, count(*) AS n_common,
        sum(CASE WHEN q.state = 'both' THEN 1 ELSE 0 END) AS n,
        sum(CASE WHEN q.state IN ('missing_a', 'missing_both') THEN 1 ELSE 0 END) AS n_missing_a,
        sum(CASE WHEN q.state IN ('missing_b', 'missing_both') THEN 1 ELSE 0 END) AS n_missing_b,
        sum(CASE WHEN q.state = 'hidden' THEN 1 ELSE 0 END) AS n_hidden,
        sum(CASE WHEN q.state = 'pending' THEN 1 ELSE 0 END) AS n_pending,
        sum(
            CASE
                WHEN q.state = 'both' AND (q.score_a NOT IN (0.0, 1.0) OR q.score_b NOT IN (0.0, 1.0)) THEN 1
                ELSE 0
            END
        ) AS n_fractions,
        sum(CASE WHEN q.state = 'both' AND q.score_a = 1.0 AND q.score_b = 0.0 THEN 1 ELSE 0 END) AS n_a_alone,
        sum(CASE WHEN q.state = 'both' AND q.score_a = 0.0 AND q.score_b = 1.0 THEN 1 ELSE 0 END) AS n_b_alone,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_a ELSE 0.0 END AS DECIMAL(25, 15))) AS total_a,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS total_b,
        sum(CASE WHEN q.state = 'both' THEN q.weight_a ELSE 0 END) AS weight_a,
        sum(CASE WHEN q.state = 'both' THEN q.weight_b ELSE 0 END) AS weight_b,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_a ELSE 0.0 END AS DECIMAL(25, 15)) * q.weight_a) AS weighted_a,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_b ELSE 0.0 END AS DECIMAL(25, 15)) * q.weight_b) AS weighted_b,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_a * q.score_a ELSE 0.0 END AS DECIMAL(25, 15))) AS squares_a,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_b * q.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS squares_b,
        sum(CAST(CASE WHEN q.state = 'both' THEN q.score_a * q.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS products
    FROM paired_question AS q
    INNER JOIN subset_level AS l ON q.question_a = l.question_id
    -- No join: the levels of all questions would be joined with each other first.
    WHERE
        EXISTS (
            SELECT 1
            FROM subset_level AS m
            WHERE q.question_b = m.question_id AND l.subset = m.subset AND l.ability_id = m.ability_id
        )
    GROUP BY q.run_a, q.run_b, q.model_a, q.model_b, q.strategy, q.judge, l.subset, l.ability_id, q.cluster_id
    UNION ALL
    SELECT
        g.run_a, g.run_b, g.model_a, g.model_b, g.strategy, g.judge, g.subset,
        g.ability_id, g.cluster_id, count(*) AS n_common,
        sum(CASE WHEN g.state = 'both' THEN 1 ELSE 0 END) AS n, 0 AS n_missing_a, 0 AS n_missing_b,
        sum(CASE WHEN g.state = 'hidden' THEN 1 ELSE 0 END) AS n_hidden,
        sum(CASE WHEN g.state = 'pending' THEN 1 ELSE 0 END) AS n_pending,
        sum(
            CASE
                WHEN g.state = 'both' AND (g.score_a NOT IN (0.0, 1.0) OR g.score_b NOT IN (0.0, 1.0)) THEN 1
                ELSE 0
            END
        ) AS n_fractions,
        sum(CASE WHEN g.state = 'both' AND g.score_a = 1.0 AND g.score_b = 0.0 THEN 1 ELSE 0 END) AS n_a_alone,
        sum(CASE WHEN g.state = 'both' AND g.score_a = 0.0 AND g.score_b = 1.0 THEN 1 ELSE 0 END) AS n_b_alone,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_a ELSE 0.0 END AS DECIMAL(25, 15))) AS total_a,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS total_b,
        sum(CASE WHEN g.state = 'both' THEN 1 ELSE 0 END) AS weight_a,
        sum(CASE WHEN g.state = 'both' THEN 1 ELSE 0 END) AS weight_b,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_a ELSE 0.0 END AS DECIMAL(25, 15))) AS weighted_a,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS weighted_b,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_a * g.score_a ELSE 0.0 END AS DECIMAL(25, 15))) AS squares_a,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_b * g.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS squares_b,
        sum(CAST(CASE WHEN g.state = 'both' THEN g.score_a * g.score_b ELSE 0.0 END AS DECIMAL(25, 15))) AS products
    FROM paired_group AS g
    GROUP BY g.run_a, g.run_b, g.model_a, g.model_b, g.strategy, g.judge, g.subset, g.ability_id, g.cluster_id
)

SELECT
    run_a, run_b, model_a, model_b, strategy, judge, subset, ability_id,
    CAST(sum(n_common) AS BIGINT) AS n_common, CAST(sum(n) AS BIGINT) AS n,
    CAST(sum(n_missing_a) AS BIGINT) AS n_missing_a,
    CAST(sum(n_missing_b) AS BIGINT) AS n_missing_b, CAST(sum(n_hidden) AS BIGINT) AS n_hidden,
    CAST(sum(n_pending) AS BIGINT) AS n_pending,
    CAST(sum(CASE WHEN n > 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_clusters,
    CAST(sum(n_fractions) AS BIGINT) AS n_fractions, CAST(sum(n_a_alone) AS BIGINT) AS n_a_alone,
    CAST(sum(n_b_alone) AS BIGINT) AS n_b_alone, CAST(sum(total_a) AS DOUBLE) AS total_a,
    CAST(sum(total_b) AS DOUBLE) AS total_b, CAST(sum(weight_a) AS BIGINT) AS weight_a,
    CAST(sum(weight_b) AS BIGINT) AS weight_b, CAST(sum(weighted_a) AS DOUBLE) AS weighted_a,
    CAST(sum(weighted_b) AS DOUBLE) AS weighted_b, CAST(sum(squares_a) AS DOUBLE) AS squares_a,
    CAST(sum(squares_b) AS DOUBLE) AS squares_b, CAST(sum(products) AS DOUBLE) AS products,
    CAST(sum(n * n) AS DOUBLE) AS cluster_sizes,
    CAST(sum(CAST(n * CAST(total_a - total_b AS DOUBLE) AS DECIMAL(30, 15))) AS DOUBLE) AS cluster_products,
    CAST(
        sum(CAST(CAST(total_a - total_b AS DOUBLE) * CAST(total_a - total_b AS DOUBLE) AS DECIMAL(30, 15))) AS DOUBLE
    ) AS cluster_squares
FROM by_cluster
GROUP BY run_a, run_b, model_a, model_b, strategy, judge, subset, ability_id
