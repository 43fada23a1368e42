-- Models with the facts that hold of them. One row per model.
-- @family The family it belongs to; NULL: not told.
-- @vision_backbone Its image encoder; NULL: not told.
-- @language_backbone Its language model; NULL: not told.
-- @parameters_billion Parameters in billions; NULL: not told.
-- @access open or proprietary; NULL: not told.
-- @released_on The day of its release; NULL: not told.
-- @kind Such as LLM (text alone), ImageLLM, VideoLLM; NULL: not told.
-- @capability_level The level it reaches (SEED-Bench-2: L1, L2 or L3); NULL: not told.
WITH told AS (
    SELECT
        model_id,
        CAST(NULL AS VARCHAR) AS family,
        CAST(NULL AS VARCHAR) AS vision_backbone,
        CAST(NULL AS VARCHAR) AS language_backbone,
        CAST(NULL AS DOUBLE) AS parameters_billion,
        CAST(NULL AS VARCHAR) AS access,
        CAST(NULL AS DATE) AS released_on,
        CAST(NULL AS VARCHAR) AS kind,
        CAST(NULL AS VARCHAR) AS capability_level
    FROM main.model
    UNION ALL
    SELECT
        model_id,
        family,
        vision_backbone,
        language_backbone,
        parameters_billion,
        access,
        released_on,
        kind,
        capability_level
    FROM main.model_fact
    WHERE superseded_by IS NULL
)

-- No LEFT JOIN, for the reason that dataset_pass gives.
SELECT
    t.model_id,
    m.name AS model,
    max(t.family) AS family,
    max(t.vision_backbone) AS vision_backbone,
    max(t.language_backbone) AS language_backbone,
    max(t.parameters_billion) AS parameters_billion,
    max(t.access) AS access,
    max(t.released_on) AS released_on,
    max(t.kind) AS kind,
    max(t.capability_level) AS capability_level
FROM told AS t
INNER JOIN main.model AS m ON t.model_id = m.model_id
GROUP BY t.model_id, m.name
