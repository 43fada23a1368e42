-- SEED-Bench, Section 4.2: the mean of each type of model by dimension, group and overall. One row
-- per dataset, judge, type and ability, over each model's latest run.
-- @type LLM (text alone), ImageLLM or VideoLLM, as the models' facts say, or unknown.
-- @type_ordinal The order of the types: 1 to 3, or 4 for any other.
-- @n_models Models of the type with a score.
-- @mean_score Their mean accuracy, in percent; NULL: no model has one.
-- @lowest_score The lowest, in percent.
-- @highest_score The highest, in percent.
-- @coverage Mean share of questions that these models answered, in percent.
SELECT
    c.dataset, c.judge, c.level, c.ability, c.ability_ordinal, m.type, m.type_ordinal,
    count(c.percent) AS n_models, avg(c.percent) AS mean_score, min(c.percent) AS lowest_score,
    max(c.percent) AS highest_score,
    avg(CASE WHEN c.percent IS NOT NULL THEN c.coverage END) AS coverage
FROM seed_cell AS c
INNER JOIN seed1_model AS m USING (model_id)
WHERE c.benchmark = 'SEED-Bench'
GROUP BY c.dataset, c.judge, c.level, c.ability, c.ability_ordinal, m.type, m.type_ordinal
