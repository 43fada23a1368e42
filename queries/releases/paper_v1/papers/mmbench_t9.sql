-- MMBench, Table 9: fine-grained perception of a single instance (FP-S) and its L-3 abilities under
-- CircularEval. One row per run and judge.
-- @fp_s Fine-grained perception of a single instance, in percent.
-- @object_localization Object Localization, in percent.
-- @attribute_recognition Attribute Recognition, in percent.
-- @celebrity_recognition Celebrity Recognition, in percent.
-- @ocr OCR, in percent.
-- @coverage Questions on fine-grained perception of a single instance without a missing pass, in
--   percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS fp_s,
    max(CASE WHEN ability = 'Object Localization' THEN percent END) AS object_localization,
    max(CASE WHEN ability = 'Attribute Recognition' THEN percent END) AS attribute_recognition,
    max(CASE WHEN ability = 'Celebrity Recognition' THEN percent END) AS celebrity_recognition,
    max(CASE WHEN ability = 'OCR' THEN percent END) AS ocr,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'FP-S'
GROUP BY dataset, judge, run_id, model, is_order_invariant
