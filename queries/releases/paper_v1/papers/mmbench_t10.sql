-- MMBench, Table 10: fine-grained perception across instances (FP-C) and its L-3 abilities under
-- CircularEval. One row per run and judge.
-- @fp_c Fine-grained perception across instances, in percent.
-- @spatial_relationship Spatial Relationship, in percent.
-- @attribute_comparison Attribute Comparison, in percent.
-- @action_recognition Action Recognition, in percent.
-- @coverage Questions on fine-grained perception across instances without a missing pass, in
--   percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS fp_c,
    max(CASE WHEN ability = 'Spatial Relationship' THEN percent END) AS spatial_relationship,
    max(CASE WHEN ability = 'Attribute Comparison' THEN percent END) AS attribute_comparison,
    max(CASE WHEN ability = 'Action Recognition' THEN percent END) AS action_recognition,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'FP-C'
GROUP BY dataset, judge, run_id, model, is_order_invariant
