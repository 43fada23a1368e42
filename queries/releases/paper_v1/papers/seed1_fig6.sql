-- SEED-Bench, Figure 6: the rank of each model in each dimension. One row per run, judge and
-- dimension.
-- @type LLM (text alone), ImageLLM or VideoLLM, as the model's facts say, or unknown.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @dimension The dimension.
-- @rank By percent (to 12 decimals), among each model's latest run; ties share; NULL: no score.
-- @percent Accuracy, in percent; NULL while pending or hidden.
-- @coverage Questions of the dimension that were answered, in percent of all.
SELECT
    c.dataset, c.judge, c.run_id, m.type, m.type_ordinal, c.model, c.ability AS dimension,
    c.ability_ordinal, c.place AS rank, c.percent, c.coverage
FROM seed_cell AS c
INNER JOIN seed1_model AS m USING (model_id)
WHERE c.benchmark = 'SEED-Bench' AND c.level = 'dimension'
