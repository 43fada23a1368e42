-- MMBench's board under CircularEval, Overall and the L-2 abilities across, in the order of the
-- paper's tables. One row per run and judge, each model's latest run alone.
-- @internal
-- @overall Over all questions that were answered, in percent.
-- @lr Logic reasoning, in percent.
-- @ar Attribute reasoning, in percent.
-- @rr Relation reasoning, in percent.
-- @fp_s Fine-grained perception of a single instance, in percent.
-- @fp_c Fine-grained perception across instances, in percent.
-- @cp Coarse perception, in percent.
-- @coverage Questions without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    run_id, model, model_id, dataset, split, judge,
    max(CASE WHEN level = 'overall' THEN percent END) AS overall,
    max(CASE WHEN abbreviation = 'LR' THEN percent END) AS lr,
    max(CASE WHEN abbreviation = 'AR' THEN percent END) AS ar,
    max(CASE WHEN abbreviation = 'RR' THEN percent END) AS rr,
    max(CASE WHEN abbreviation = 'FP-S' THEN percent END) AS fp_s,
    max(CASE WHEN abbreviation = 'FP-C' THEN percent END) AS fp_c,
    max(CASE WHEN abbreviation = 'CP' THEN percent END) AS cp,
    max(CASE WHEN level = 'overall' THEN coverage END) AS coverage, is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND level IN ('overall', 'l2')
GROUP BY run_id, model, model_id, dataset, split, judge, is_order_invariant
