-- What figures are made of that look at how a verdict came about, by ability, of questions whose
-- rule may need a judge. One row per run, judge and ability.
-- @hook Gets judged_rule_result; must keep one row per run, judge and ability.
-- @table per run
-- @key judge ability_id
-- @n_ruled Answers that a rule settled without a judge.
-- @n_read Answers with a verdict.
-- @points Sum of the scores of those.
-- @reference_points Sum of what the judge gave the references of those (pair).
SELECT
    p.run_id, p.judge, l.ability_id, count(CASE WHEN p.resolved_by = 'rule' THEN 1 END) AS n_ruled,
    count(CASE WHEN p.resolved_by IN ('rule', 'judge', 'graded') THEN 1 END) AS n_read,
    CAST(
        sum(CASE WHEN p.resolved_by IN ('rule', 'judge', 'graded') THEN CAST(p.score AS DECIMAL(25, 15)) END)
        AS DOUBLE
    ) AS points,
    CAST(sum(CAST(p.reference_score AS DECIMAL(25, 15))) AS DOUBLE) AS reference_points
FROM judged_rule_result AS p
INNER JOIN question_level AS l USING (question_id)
WHERE is_counted(CASE WHEN p.resolved_by = 'missing' THEN 0 ELSE 1 END)
GROUP BY p.run_id, p.judge, l.ability_id
