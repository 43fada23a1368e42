-- SEED-Bench-2, Figure 11: the leaderboard of each part, of the models that reach it. One row per
-- part, run and judge.
-- @part The part.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Mean accuracy over its dimensions, in percent; NULL while pending or hidden.
-- @coverage Questions of the part that were answered, in percent of all.
SELECT
    dataset, judge, ability AS part, ability_ordinal, place AS rank, model, percent, coverage,
    run_id
FROM seed_cell
WHERE benchmark = 'SEED-Bench-2' AND level = 'part' AND is_reached
