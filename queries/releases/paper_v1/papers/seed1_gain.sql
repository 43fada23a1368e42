-- SEED-Bench, Section 4.3: how much a model has over the language model that it is built on. A
-- baseline is a model of the type LLM whose name or language model is the model's own, letter for
-- letter. One row per run and judge, and baseline if there are several.
-- @type ImageLLM, VideoLLM or what else the model's facts say, but LLM.
-- @type_ordinal The order of the types: 2 and 3, or 4 for any other.
-- @llm Its language model; NULL: not stated.
-- @baseline The model that is its baseline; NULL: no run of the dataset is.
-- @spatial_gain Spatial understanding, less the baseline's, in percentage points.
-- @temporal_gain Temporal understanding, less the baseline's, in percentage points.
-- @overall_gain All questions, less the baseline's, in percentage points.
-- @coverage Questions that were answered, in percent of all.
-- @baseline_coverage Questions that the baseline answered, in percent of all.
WITH scored AS (
    SELECT *
    FROM seed1_t3
),

compared AS (
    SELECT
        m.dataset, m.judge, m.run_id, m.type, m.type_ordinal, m.model, m.llm, b.model AS baseline,
        m.spatial - b.spatial AS spatial_gain, m.temporal - b.temporal AS temporal_gain,
        m.overall - b.overall AS overall_gain, m.coverage, b.coverage AS baseline_coverage
    FROM scored AS m
    INNER JOIN scored AS b
        ON m.dataset = b.dataset AND m.judge = b.judge AND (m.llm = b.model OR m.llm = b.llm)
    WHERE m.type <> 'LLM' AND b.type = 'LLM'
)

-- No LEFT JOIN, for the reason that dataset_pass gives.
SELECT *
FROM compared
UNION ALL
SELECT
    dataset, judge, run_id, type, type_ordinal, model, llm, CAST(NULL AS VARCHAR) AS baseline,
    CAST(NULL AS DOUBLE) AS spatial_gain, CAST(NULL AS DOUBLE) AS temporal_gain,
    CAST(NULL AS DOUBLE) AS overall_gain, coverage, CAST(NULL AS DOUBLE) AS baseline_coverage
FROM scored
WHERE type <> 'LLM' AND run_id NOT IN (SELECT run_id FROM compared)
