-- MMBench, Table 11: attribute reasoning (AR) and its L-3 abilities under CircularEval. One row per
-- run and judge.
-- @ar Attribute reasoning, in percent.
-- @physical_property_reasoning Physical Property Reasoning, in percent.
-- @function_reasoning Function Reasoning, in percent.
-- @identity_reasoning Identity Reasoning, in percent.
-- @coverage Questions on attribute reasoning without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS ar,
    max(CASE WHEN ability = 'Physical Property Reasoning' THEN percent END)
        AS physical_property_reasoning,
    max(CASE WHEN ability = 'Function Reasoning' THEN percent END) AS function_reasoning,
    max(CASE WHEN ability = 'Identity Reasoning' THEN percent END) AS identity_reasoning,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'AR'
GROUP BY dataset, judge, run_id, model, is_order_invariant
