-- SEED-Bench-2, Table 3: the dimensions on single images. One row per run and judge.
-- @llm Its language model; NULL: not stated.
-- @scene_understanding Scene Understanding, in percent; NULL: not reached, or pending.
-- @instance_identity Instance Identity, in percent; NULL: not reached, or pending.
-- @instance_attribute Instance Attribute, in percent; NULL: not reached, or pending.
-- @instance_location Instance Location, in percent; NULL: not reached, or pending.
-- @instance_counting Instance Counting, in percent; NULL: not reached, or pending.
-- @spatial_relation Spatial Relation, in percent; NULL: not reached, or pending.
-- @instance_interaction Instance Interaction, in percent; NULL: not reached, or pending.
-- @visual_reasoning Visual Reasoning, in percent; NULL: not reached, or pending.
-- @text_recognition Text Recognition, in percent; NULL: not reached, or pending.
-- @celebrity_recognition Celebrity Recognition, in percent; NULL: not reached, or pending.
-- @landmark_recognition Landmark Recognition, in percent; NULL: not reached, or pending.
-- @chart_understanding Chart Understanding, in percent; NULL: not reached, or pending.
-- @visual_referring_expression Visual Referring Expression, in percent; NULL: not reached, or
--   pending.
-- @science_knowledge Science Knowledge, in percent; NULL: not reached, or pending.
-- @emotion_recognition Emotion Recognition, in percent; NULL: not reached, or pending.
-- @visual_mathematics Visual Mathematics, in percent; NULL: not reached, or pending.
-- @coverage Questions of these dimensions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id,
        model,
        model_id,
        dataset,
        judge,
        max(CASE WHEN ability = 'Scene Understanding' THEN percent END) AS scene_understanding,
        max(CASE WHEN ability = 'Instance Identity' THEN percent END) AS instance_identity,
        max(CASE WHEN ability = 'Instance Attribute' THEN percent END) AS instance_attribute,
        max(CASE WHEN ability = 'Instance Location' THEN percent END) AS instance_location,
        max(CASE WHEN ability = 'Instance Counting' THEN percent END) AS instance_counting,
        max(CASE WHEN ability = 'Spatial Relation' THEN percent END) AS spatial_relation,
        max(CASE WHEN ability = 'Instance Interaction' THEN percent END) AS instance_interaction,
        max(CASE WHEN ability = 'Visual Reasoning' THEN percent END) AS visual_reasoning,
        max(CASE WHEN ability = 'Text Recognition' THEN percent END) AS text_recognition,
        max(CASE WHEN ability = 'Celebrity Recognition' THEN percent END) AS celebrity_recognition,
        max(CASE WHEN ability = 'Landmark Recognition' THEN percent END) AS landmark_recognition,
        max(CASE WHEN ability = 'Chart Understanding' THEN percent END) AS chart_understanding,
        max(CASE WHEN ability = 'Visual Referring Expression' THEN percent END) AS visual_referring_expression,
        max(CASE WHEN ability = 'Science Knowledge' THEN percent END) AS science_knowledge,
        max(CASE WHEN ability = 'Emotion Recognition' THEN percent END) AS emotion_recognition,
        max(CASE WHEN ability = 'Visual Mathematics' THEN percent END) AS visual_mathematics,
        100 * CAST(sum(n_answered) AS DOUBLE) / sum(n) AS coverage
    FROM seed_cell
    WHERE
        benchmark = 'SEED-Bench-2'
        AND level = 'dimension'
        AND ability IN (
            'Scene Understanding',
            'Instance Identity',
            'Instance Attribute',
            'Instance Location',
            'Instance Counting',
            'Spatial Relation',
            'Instance Interaction',
            'Visual Reasoning',
            'Text Recognition',
            'Celebrity Recognition',
            'Landmark Recognition',
            'Chart Understanding',
            'Visual Referring Expression',
            'Science Knowledge',
            'Emotion Recognition',
            'Visual Mathematics'
        )
    GROUP BY run_id, model, model_id, dataset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.run_id,
    a.model,
    m.language_backbone AS llm,
    a.scene_understanding,
    a.instance_identity,
    a.instance_attribute,
    a.instance_location,
    a.instance_counting,
    a.spatial_relation,
    a.instance_interaction,
    a.visual_reasoning,
    a.text_recognition,
    a.celebrity_recognition,
    a.landmark_recognition,
    a.chart_understanding,
    a.visual_referring_expression,
    a.science_knowledge,
    a.emotion_recognition,
    a.visual_mathematics,
    a.coverage
FROM across AS a
INNER JOIN current_model AS m ON a.model_id = m.model_id
