-- SEED-Bench, Figure 1: the questions of each dimension, and how models do on them. One row per run, judge and dimension.
-- @dimension The dimension.
-- @n Questions of the dimension.
-- @percent The model's accuracy on them, in percent; NULL while pending or hidden.
-- @overall The model's accuracy on all questions, in percent.
-- @overall_rank Its rank by that; ties share.
-- @coverage Questions of the dimension that were answered, in percent of all.
SELECT
    c.dataset,
    c.judge,
    c.run_id,
    c.model,
    c.ability AS dimension,
    c.ability_ordinal,
    c.n,
    c.percent,
    o.percent AS overall,
    o.place AS overall_rank,
    c.coverage
FROM seed_cell AS c
INNER JOIN seed_cell AS o
    ON c.run_id = o.run_id AND c.judge = o.judge AND o.level = 'overall'
WHERE c.benchmark = 'SEED-Bench' AND c.level = 'dimension'
