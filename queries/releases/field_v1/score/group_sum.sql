-- Questions that count together (strategy group:NAME), added up by ability: those of a figure, an
-- image or a pair. A group is of the questions that count for the ability, so one whose questions
-- are of two abilities is a group in each, and one alone in what stands above them. One row per
-- run, strategy, judge, subset and ability.
-- @hook Gets question_result and benchmark_group; must keep sums over groups, with the columns of
--   ability_sum.
-- @n Groups.
-- @n_answered Groups without a missing question.
-- @points_low Sum of the groups' scores if every pending verdict turns out wrong.
-- @points_high The same if every one turns out right.
-- @squares Sum of the squares of the lower scores.
-- @weighted_low As points_low.
-- @weighted_high As points_high.
-- @answered_low As points_low, over the groups without a missing question.
SELECT
    run_id, 'group:' || name AS strategy, judge, subset, ability_id, count(*) AS n,
    count(CASE WHEN n_missing = 0 THEN 1 END) AS n_answered,
    count(CASE WHEN score_low IS NULL THEN 1 END) AS n_hidden,
    CAST(sum(CAST(score_low AS DECIMAL(25, 15))) AS DOUBLE) AS points_low,
    CAST(sum(CAST(score_high AS DECIMAL(25, 15))) AS DOUBLE) AS points_high,
    CAST(sum(CAST(score_low * score_low AS DECIMAL(25, 15))) AS DOUBLE) AS squares,
    count(*) AS weight, CAST(sum(CAST(score_low AS DECIMAL(25, 15))) AS DOUBLE) AS weighted_low,
    CAST(sum(CAST(score_high AS DECIMAL(25, 15))) AS DOUBLE) AS weighted_high,
    count(CASE WHEN n_missing = 0 THEN 1 END) AS answered_weight,
    CAST(
        coalesce(sum(CASE WHEN n_missing = 0 THEN CAST(score_low AS DECIMAL(25, 15)) END), 0) AS DOUBLE
    ) AS answered_low,
    CAST(sum(n_pending) AS BIGINT) AS n_pending, CAST(sum(n_fallback) AS BIGINT) AS n_fallback,
    count(CASE WHEN n_missing > 0 THEN 1 END) AS n_missing
FROM group_score
GROUP BY run_id, name, judge, subset, ability_id
