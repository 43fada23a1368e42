-- MMBench, Table 12: logic reasoning (LR) and its L-3 abilities under CircularEval. One row per run
-- and judge.
-- @lr Logic reasoning, in percent.
-- @structuralized_image_text_understanding Structuralized Image-Text Understanding, in percent.
-- @future_prediction Future Prediction, in percent.
-- @coverage Questions on logic reasoning without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS lr,
    max(CASE WHEN ability = 'Structuralized Image-Text Understanding' THEN percent END)
        AS structuralized_image_text_understanding,
    max(CASE WHEN ability = 'Future Prediction' THEN percent END) AS future_prediction,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'LR'
GROUP BY dataset, judge, run_id, model, is_order_invariant
