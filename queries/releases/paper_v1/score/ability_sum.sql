-- The scores of each run's questions (question_result) added up by ability: all that boards need of
-- questions. A question with further rows (see further_row) counts once for each. One row per run,
-- strategy, judge, subset and ability.
-- @hook Gets question_result, question_set and group_sum; must keep sums, not means, so that levels
--   add up.
-- @table per run
-- @key strategy judge subset ability_id
-- @subset The subset's name; all for the whole dataset.
-- @n Questions, as far as the release counts them.
-- @n_answered Questions without a missing pass.
-- @n_hidden Questions without a score because an answer is hidden.
-- @points_low Sum of the question scores if every pending verdict turns out wrong.
-- @points_high The same if every one turns out right.
-- @squares Sum of the squares of the lower scores, from which their spread follows.
-- @weight What the questions count for: 1 each, under vanilla_all their passes.
-- @weighted_low As points_low, by weight.
-- @weighted_high As points_high, by weight.
-- @answered_weight As weight, over the answered questions.
-- @answered_low As weighted_low, over the answered questions.
WITH further AS (
    SELECT run_id, question_id, count(*) AS n
    FROM further_row
    WHERE pass = 0 AND sample = 0
    GROUP BY run_id, question_id
),

weighted AS (
    SELECT
        q.run_id, q.strategy, q.judge, s.set_id,
        CAST(
            CASE WHEN q.strategy = 'vanilla_all' THEN q.n_expected ELSE 1 END * (1 + coalesce(f.n, 0))
            AS INTEGER
        ) AS weight,
        CAST(1 + coalesce(f.n, 0) AS INTEGER) AS n_rows,
        -- Sums of decimals do not depend on the order of addition.
        CAST(q.score_low AS DECIMAL(25, 15)) AS score_low,
        CAST(q.score_high AS DECIMAL(25, 15)) AS score_high,
        CAST(q.score_low * q.score_low AS DECIMAL(25, 15)) AS square, q.n_pending, q.n_fallback,
        q.n_missing
    FROM question_result AS q
    INNER JOIN question_set AS s USING (question_id)
    LEFT JOIN further AS f USING (run_id, question_id)
    -- A question of which the dataset has no pass 0 has no vanilla score.
    WHERE q.n_expected > 0 AND q.counted
),

by_set AS (
    SELECT
        run_id, strategy, judge, set_id, sum(n_rows) AS n,
        sum(CASE WHEN n_missing = 0 THEN n_rows ELSE 0 END) AS n_answered,
        sum(CASE WHEN score_low IS NULL THEN n_rows ELSE 0 END) AS n_hidden,
        sum(score_low * n_rows) AS points_low, sum(score_high * n_rows) AS points_high,
        sum(square * n_rows) AS squares, sum(weight) AS weight,
        sum(score_low * weight) AS weighted_low, sum(score_high * weight) AS weighted_high,
        sum(CASE WHEN n_missing = 0 THEN weight ELSE 0 END) AS answered_weight,
        sum(CASE WHEN n_missing = 0 THEN score_low * weight END) AS answered_low,
        sum(n_pending) AS n_pending, sum(n_fallback) AS n_fallback, sum(n_missing) AS n_missing
    FROM weighted
    GROUP BY run_id, strategy, judge, set_id
)

SELECT
    s.run_id, s.strategy, s.judge, l.subset, l.ability_id, CAST(sum(s.n) AS BIGINT) AS n,
    CAST(sum(s.n_answered) AS BIGINT) AS n_answered, CAST(sum(s.n_hidden) AS BIGINT) AS n_hidden,
    CAST(sum(s.points_low) AS DOUBLE) AS points_low,
    CAST(sum(s.points_high) AS DOUBLE) AS points_high, CAST(sum(s.squares) AS DOUBLE) AS squares,
    CAST(sum(s.weight) AS BIGINT) AS weight, CAST(sum(s.weighted_low) AS DOUBLE) AS weighted_low,
    CAST(sum(s.weighted_high) AS DOUBLE) AS weighted_high,
    CAST(sum(s.answered_weight) AS BIGINT) AS answered_weight,
    CAST(coalesce(sum(s.answered_low), 0) AS DOUBLE) AS answered_low,
    CAST(sum(s.n_pending) AS BIGINT) AS n_pending, CAST(sum(s.n_fallback) AS BIGINT) AS n_fallback,
    CAST(sum(s.n_missing) AS BIGINT) AS n_missing
FROM by_set AS s
INNER JOIN subset_level AS l ON s.set_id = l.question_id
GROUP BY s.run_id, s.strategy, s.judge, l.subset, l.ability_id
UNION ALL
SELECT *
FROM group_sum
