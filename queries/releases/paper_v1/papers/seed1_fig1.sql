-- SEED-Bench, Figure 1: the questions of each dimension, and how models do on them. One row per run, judge and dimension.
-- @dimension The dimension.
-- @n Questions of the dimension.
-- @percent The model's accuracy on them, in percent; NULL while pending or hidden.
-- @overall The model's accuracy on all questions, in percent.
-- @overall_rank Its rank by that; ties share.
-- @coverage Questions of the dimension that were answered, in percent of all.
WITH beside AS (
    SELECT
        *,
        max(CASE WHEN level = 'overall' THEN percent END) OVER (PARTITION BY run_id, judge) AS overall,
        max(CASE WHEN level = 'overall' THEN place END) OVER (PARTITION BY run_id, judge) AS overall_rank
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench'
)

SELECT
    dataset,
    judge,
    run_id,
    model,
    ability AS dimension,
    ability_ordinal,
    n,
    percent,
    overall,
    overall_rank,
    coverage
FROM beside
WHERE level = 'dimension'
