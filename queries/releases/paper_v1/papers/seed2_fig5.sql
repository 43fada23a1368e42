-- SEED-Bench-2, Figure 5: how each model does in each dimension. One row per run, judge and
-- dimension.
-- @dimension The dimension.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Accuracy, in percent; NULL: not reached, or pending.
-- @l1_rank The model's rank at level L1, to order models by.
-- @coverage Questions of the dimension that were answered, in percent of all.
WITH with_l1_rank AS (
    SELECT
        *, max(CASE WHEN ability = 'L1' THEN place END) OVER (PARTITION BY run_id, judge) AS l1_rank
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench-2'
)

SELECT
    dataset, judge, run_id, model, l1_rank, ability AS dimension, ability_ordinal, place AS rank,
    percent, is_reached, coverage
FROM with_l1_rank
WHERE level = 'dimension'
