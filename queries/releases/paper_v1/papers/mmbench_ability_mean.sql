-- MMBench, Section 5: the mean over models of each ability under CircularEval. One row per dataset,
-- judge and ability, over each model's latest run.
-- @n_models Models with a score.
-- @mean_score Their mean score, in percent; NULL: no model has one.
-- @lowest_score The lowest, in percent.
-- @highest_score The highest, in percent.
-- @coverage Mean share of questions that the models answered, in percent.
SELECT
    dataset, judge, level, ability, ability_ordinal, ability_id, count(percent) AS n_models,
    avg(percent) AS mean_score, min(percent) AS lowest_score, max(percent) AS highest_score,
    avg(CASE WHEN percent IS NOT NULL THEN coverage END) AS coverage
FROM mmbench_cell
WHERE strategy = 'circular'
GROUP BY dataset, judge, level, ability, ability_ordinal, ability_id
