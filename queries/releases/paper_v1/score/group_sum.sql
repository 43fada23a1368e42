-- The sums of ability_sum for questions that count together in groups (strategy group:NAME):
-- paper_v1 has none, and so no rows. One row per run, strategy, judge, subset and ability.
-- @hook Gets question_result and benchmark_group; must keep sums over groups, with the columns of
--   ability_sum.
-- @points_low Sum of the groups' scores if every pending verdict turns out wrong.
-- @points_high The same if every one turns out right.
-- @squares Sum of the squares of the lower scores.
-- @weighted_low As points_low.
-- @weighted_high As points_high.
-- @answered_low As points_low, over the groups without a missing question.
SELECT
    CAST(NULL AS INTEGER) AS run_id, CAST(NULL AS VARCHAR) AS strategy,
    CAST(NULL AS VARCHAR) AS judge, CAST(NULL AS VARCHAR) AS subset,
    CAST(NULL AS INTEGER) AS ability_id, CAST(NULL AS BIGINT) AS n,
    CAST(NULL AS BIGINT) AS n_answered, CAST(NULL AS BIGINT) AS n_hidden,
    CAST(NULL AS DOUBLE) AS points_low, CAST(NULL AS DOUBLE) AS points_high,
    CAST(NULL AS DOUBLE) AS squares, CAST(NULL AS BIGINT) AS weight,
    CAST(NULL AS DOUBLE) AS weighted_low, CAST(NULL AS DOUBLE) AS weighted_high,
    CAST(NULL AS BIGINT) AS answered_weight, CAST(NULL AS DOUBLE) AS answered_low,
    CAST(NULL AS BIGINT) AS n_pending, CAST(NULL AS BIGINT) AS n_fallback,
    CAST(NULL AS BIGINT) AS n_missing
WHERE FALSE
