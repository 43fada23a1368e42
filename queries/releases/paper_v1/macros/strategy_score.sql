-- What so many right passes are worth (MMBench, Section 4.2): vanilla_all the share of right ones,
-- the
-- others 1 where as many are right as have to be, else 0; NULL where an answer is hidden or no pass
-- is
-- expected.
-- @hook Gets counts of passes; gives a score from 0 to 1, NULL where an answer is hidden.
--   strategy_pending has to follow it.
CREATE MACRO strategy_score(strategy_name, right_count, required_count, expected_count, hidden_count) AS
CAST(
    CASE
        WHEN hidden_count > 0 OR expected_count = 0 THEN NULL
        WHEN strategy_name = 'vanilla_all' THEN 1.0 * (right_count) / expected_count
        WHEN right_count >= required_count THEN 1.0
        ELSE 0.0
    END AS DOUBLE
)
