-- SEED-Bench-2, Figure 9: the leaderboard of each dimension, of the models that reach it. One row
-- per dimension, run and judge.
-- @dimension The dimension.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Accuracy, in percent; NULL while pending or hidden.
-- @coverage Questions of the dimension that were answered, in percent of all.
SELECT
    dataset, judge, ability AS dimension, ability_ordinal, place AS rank, model, percent, coverage,
    run_id
FROM seed_cell
WHERE benchmark = 'SEED-Bench-2' AND level = 'dimension' AND is_reached
