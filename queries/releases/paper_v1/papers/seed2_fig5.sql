-- SEED-Bench-2, Figure 5: how each model does in each dimension. One row per run, judge and dimension.
-- @dimension The dimension.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Accuracy, in percent; NULL: not reached, or pending.
-- @l1_rank The model's rank at level L1, to order models by.
-- @coverage Questions of the dimension that were answered, in percent of all.
SELECT
    c.dataset,
    c.judge,
    c.run_id,
    c.model,
    o.place AS l1_rank,
    c.ability AS dimension,
    c.ability_ordinal,
    c.place AS rank,
    c.percent,
    c.is_reached,
    c.coverage
FROM seed_cell AS c
INNER JOIN seed_cell AS o
    ON
        c.run_id = o.run_id
        AND c.judge = o.judge
        AND o.level = 'capability_level'
        AND o.ability = 'L1'
WHERE c.benchmark = 'SEED-Bench-2' AND c.level = 'dimension'
