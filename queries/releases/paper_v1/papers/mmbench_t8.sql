-- MMBench, Table 8: coarse perception (CP) and its L-3 abilities under CircularEval. One row per
-- run and judge.
-- @cp Coarse perception, in percent.
-- @image_style Image Style, in percent.
-- @image_scene Image Scene, in percent.
-- @image_emotion Image Emotion, in percent.
-- @image_quality Image Quality, in percent.
-- @image_topic Image Topic, in percent.
-- @coverage Questions on coarse perception without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS cp,
    max(CASE WHEN ability = 'Image Style' THEN percent END) AS image_style,
    max(CASE WHEN ability = 'Image Scene' THEN percent END) AS image_scene,
    max(CASE WHEN ability = 'Image Emotion' THEN percent END) AS image_emotion,
    max(CASE WHEN ability = 'Image Quality' THEN percent END) AS image_quality,
    max(CASE WHEN ability = 'Image Topic' THEN percent END) AS image_topic,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'CP'
GROUP BY dataset, judge, run_id, model, is_order_invariant
