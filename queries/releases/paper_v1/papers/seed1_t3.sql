-- SEED-Bench, Table 3: accuracy and rank in spatial and temporal understanding and overall, by type
-- of model. One row per run and judge.
-- @type LLM (text alone), ImageLLM or VideoLLM, as the model's facts say, or unknown.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @llm Its language model; NULL: not stated.
-- @spatial Questions on spatial understanding (dimensions 1 to 9), in percent.
-- @spatial_rank Its rank by that; ties share.
-- @temporal Questions on temporal understanding (dimensions 10 to 12), in percent.
-- @temporal_rank Its rank by that; ties share.
-- @overall All questions, in percent.
-- @overall_rank Its rank by that; ties share.
-- @is_ranked Whether its choices were ranked, rather than a choice generated.
-- @coverage Questions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id, model, model_id, dataset, judge, is_ranked,
        max(CASE WHEN ability = 'Spatial Understanding' THEN percent END) AS spatial,
        max(CASE WHEN ability = 'Spatial Understanding' THEN place END) AS spatial_rank,
        max(CASE WHEN ability = 'Temporal Understanding' THEN percent END) AS temporal,
        max(CASE WHEN ability = 'Temporal Understanding' THEN place END) AS temporal_rank,
        max(CASE WHEN level = 'overall' THEN percent END) AS overall,
        max(CASE WHEN level = 'overall' THEN place END) AS overall_rank,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench' AND level IN ('overall', 'group')
    GROUP BY run_id, model, model_id, dataset, judge, is_ranked
)

SELECT
    a.dataset, a.judge, a.run_id, m.type, m.type_ordinal, a.model, m.llm, a.spatial, a.spatial_rank,
    a.temporal, a.temporal_rank, a.overall, a.overall_rank, a.coverage, a.is_ranked
FROM across AS a
INNER JOIN seed1_model AS m USING (model_id)
