-- MMBench talk (2024), main results: text-only, open and proprietary models under CircularEval. One
-- row per run and judge.
-- @section Large Language Models (text alone), OpenSource VLMs, Proprietary VLMs, or Access
--   unknown.
-- @section_ordinal The order of the sections.
-- @released_on The day of the model's release; NULL: not stated.
-- @vision_backbone Its image encoder; NULL: not stated.
-- @language_backbone Its language model; NULL: not stated.
-- @parameters_billion Parameters in billions; NULL: not stated.
-- @overall Over all questions that were answered, in percent.
-- @cp Coarse perception, in percent.
-- @fp_s Fine-grained perception of a single instance, in percent.
-- @fp_c Fine-grained perception across instances, in percent.
-- @ar Attribute reasoning, in percent.
-- @lr Logic reasoning, in percent.
-- @rr Relation reasoning, in percent.
-- @coverage Questions without a missing pass, in percent of all.
WITH divided AS (
    SELECT
        b.*, m.released_on, m.vision_backbone, m.language_backbone, m.parameters_billion,
        CASE
            WHEN m.kind = 'LLM' THEN 1
            WHEN m.access = 'open' THEN 2
            WHEN m.access = 'proprietary' THEN 3
            ELSE 4
        END AS section_ordinal
    FROM mmbench_board AS b
    INNER JOIN current_model AS m USING (model_id)
)

SELECT
    dataset, judge, run_id,
    CASE section_ordinal
        WHEN 1 THEN 'Large Language Models'
        WHEN 2 THEN 'OpenSource VLMs'
        WHEN 3 THEN 'Proprietary VLMs'
        ELSE 'Access unknown'
    END AS section,
    section_ordinal, model, released_on, vision_backbone, language_backbone, parameters_billion,
    overall, cp, fp_s, fp_c, ar, lr, rr, coverage
FROM divided
