-- SEED-Bench-2, Table 4: the dimensions on several images, videos, interleaved text, and
-- generation. One row per run and judge.
-- @llm Its language model; NULL: not stated.
-- @difference_spotting Difference Spotting, in percent; NULL: not reached, or pending.
-- @meme_comprehension Meme Comprehension, in percent; NULL: not reached, or pending.
-- @global_video_understanding Global Video Understanding, in percent; NULL: not reached, or
--   pending.
-- @action_recognition Action Recognition, in percent; NULL: not reached, or pending.
-- @action_prediction Action Prediction, in percent; NULL: not reached, or pending.
-- @procedure_understanding Procedure Understanding, in percent; NULL: not reached, or pending.
-- @in_context_captioning In-Context Captioning, in percent; NULL: not reached, or pending.
-- @interleaved_image_text_analysis Interleaved Image-Text Analysis, in percent; NULL: not reached,
--   or pending.
-- @text_to_image_generation Text-to-Image Generation, in percent; NULL: not reached, or pending.
-- @next_image_prediction Next Image Prediction, in percent; NULL: not reached, or pending.
-- @text_image_creation Text-Image Creation, in percent; NULL: not reached, or pending.
-- @coverage Questions of these dimensions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id,
        model,
        model_id,
        dataset,
        judge,
        max(CASE WHEN ability = 'Difference Spotting' THEN percent END) AS difference_spotting,
        max(CASE WHEN ability = 'Meme Comprehension' THEN percent END) AS meme_comprehension,
        max(CASE WHEN ability = 'Global Video Understanding' THEN percent END) AS global_video_understanding,
        max(CASE WHEN ability = 'Action Recognition' THEN percent END) AS action_recognition,
        max(CASE WHEN ability = 'Action Prediction' THEN percent END) AS action_prediction,
        max(CASE WHEN ability = 'Procedure Understanding' THEN percent END) AS procedure_understanding,
        max(CASE WHEN ability = 'In-Context Captioning' THEN percent END) AS in_context_captioning,
        max(CASE WHEN ability = 'Interleaved Image-Text Analysis' THEN percent END) AS interleaved_image_text_analysis,
        max(CASE WHEN ability = 'Text-to-Image Generation' THEN percent END) AS text_to_image_generation,
        max(CASE WHEN ability = 'Next Image Prediction' THEN percent END) AS next_image_prediction,
        max(CASE WHEN ability = 'Text-Image Creation' THEN percent END) AS text_image_creation,
        100 * CAST(sum(n_answered) AS DOUBLE) / sum(n) AS coverage
    FROM seed_cell
    WHERE
        benchmark = 'SEED-Bench-2'
        AND level = 'dimension'
        AND ability IN (
            'Difference Spotting',
            'Meme Comprehension',
            'Global Video Understanding',
            'Action Recognition',
            'Action Prediction',
            'Procedure Understanding',
            'In-Context Captioning',
            'Interleaved Image-Text Analysis',
            'Text-to-Image Generation',
            'Next Image Prediction',
            'Text-Image Creation'
        )
    GROUP BY run_id, model, model_id, dataset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.run_id,
    a.model,
    m.language_backbone AS llm,
    a.difference_spotting,
    a.meme_comprehension,
    a.global_video_understanding,
    a.action_recognition,
    a.action_prediction,
    a.procedure_understanding,
    a.in_context_captioning,
    a.interleaved_image_text_analysis,
    a.text_to_image_generation,
    a.next_image_prediction,
    a.text_image_creation,
    a.coverage
FROM across AS a
INNER JOIN current_model AS m ON a.model_id = m.model_id
