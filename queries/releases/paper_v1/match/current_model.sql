-- Models with the facts that hold of them. One row per model.
-- @internal
-- @family The family it belongs to; NULL: not stated.
-- @vision_backbone Its image encoder; NULL: not stated.
-- @language_backbone Its language model; NULL: not stated.
-- @parameters_billion Parameters in billions; NULL: not stated.
-- @access open or proprietary; NULL: not stated.
-- @released_on The day of its release; NULL: not stated.
-- @kind Such as LLM (text alone), ImageLLM, VideoLLM; NULL: not stated.
-- @capability_level The level it reaches (SEED-Bench-2: L1, L2 or L3); NULL: not stated.
WITH fact AS (
    SELECT
        model_id, CAST(NULL AS VARCHAR) AS family, CAST(NULL AS VARCHAR) AS vision_backbone,
        CAST(NULL AS VARCHAR) AS language_backbone, CAST(NULL AS DOUBLE) AS parameters_billion,
        CAST(NULL AS VARCHAR) AS access, CAST(NULL AS DATE) AS released_on,
        CAST(NULL AS VARCHAR) AS kind, CAST(NULL AS VARCHAR) AS capability_level
    FROM main.model
    UNION ALL
    SELECT
        model_id, family, vision_backbone, language_backbone, parameters_billion, access,
        released_on, kind, capability_level
    FROM main.model_fact
    WHERE superseded_by IS NULL
)

-- No LEFT JOIN, for the reason that dataset_pass gives.
SELECT
    f.model_id, m.name AS model, max(f.family) AS family, max(f.vision_backbone) AS vision_backbone,
    max(f.language_backbone) AS language_backbone, max(f.parameters_billion) AS parameters_billion,
    max(f.access) AS access, max(f.released_on) AS released_on, max(f.kind) AS kind,
    max(f.capability_level) AS capability_level
FROM fact AS f
INNER JOIN main.model AS m USING (model_id)
GROUP BY f.model_id, m.name
