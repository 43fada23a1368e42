-- What figures are made of that look at how a verdict came about, by ability: paper_v1 has no
-- questions whose rule needs a judge, and so no rows. One row per run, judge and ability.
-- @hook Gets judged_rule_result; must keep one row per run, judge and ability.
-- @table per run
-- @key judge ability_id
-- @n_ruled Answers that a rule settled without a judge.
-- @n_read Answers with a verdict.
-- @points Sum of the scores of those.
-- @reference_points Sum of what the judge gave the references of those.
SELECT
    run_id, CAST(NULL AS VARCHAR) AS judge, CAST(NULL AS INTEGER) AS ability_id,
    CAST(NULL AS BIGINT) AS n_ruled, CAST(NULL AS BIGINT) AS n_read, CAST(NULL AS DOUBLE) AS points,
    CAST(NULL AS DOUBLE) AS reference_points
FROM current_run
WHERE FALSE
