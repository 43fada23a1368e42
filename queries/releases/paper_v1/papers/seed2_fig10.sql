-- SEED-Bench-2, Figure 10: the leaderboard of each subpart, of the models that reach it. One row
-- per subpart, run and judge.
-- @subpart The subpart.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Mean accuracy over its dimensions, in percent; NULL while pending or hidden.
-- @coverage Questions of the subpart that were answered, in percent of all.
SELECT
    dataset, judge, ability AS subpart, ability_ordinal, place AS rank, model, percent, coverage,
    run_id
FROM seed_cell
WHERE benchmark = 'SEED-Bench-2' AND level = 'subpart' AND is_reached
