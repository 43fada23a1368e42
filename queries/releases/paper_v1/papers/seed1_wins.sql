-- SEED-Bench, Section 4.3: in how many dimensions each model is first. A tie counts for every one
-- of its winners. One row per run and judge.
-- @type LLM (text alone), ImageLLM or VideoLLM, as the model's facts say, or unknown.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @n_won Dimensions in which no model's latest run has more.
-- @n_dimensions Dimensions that have questions.
-- @coverage Questions that were answered, in percent of all.
WITH won AS (
    SELECT
        run_id, model, model_id, dataset, judge,
        CAST(sum(CASE WHEN level = 'dimension' AND place = 1 THEN 1 ELSE 0 END) AS BIGINT) AS n_won,
        CAST(sum(CASE WHEN level = 'dimension' THEN 1 ELSE 0 END) AS BIGINT) AS n_dimensions,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench'
    GROUP BY run_id, model, model_id, dataset, judge
)

SELECT
    w.dataset, w.judge, w.run_id, m.type, m.type_ordinal, w.model, w.n_won, w.n_dimensions,
    w.coverage
FROM won AS w
INNER JOIN seed1_model AS m USING (model_id)
