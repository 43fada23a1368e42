-- What precision, recall and F1 of yes are made of, by ability. One row per run, judge and ability
-- of a benchmark with questions of yes and no.
-- @kept per run
-- @n_said Answers read as yes.
-- @n_yes Questions whose answer is yes, as far as the release counts them.
-- @n_both Questions whose answer is yes, and that were answered so.
SELECT
    p.run_id,
    p.judge,
    l.ability_id,
    count(CASE WHEN p.predicted = 'yes' THEN 1 END) AS n_said,
    count(CASE WHEN python_lower(stripped(p.answer)) = 'yes' THEN 1 END) AS n_yes,
    count(CASE WHEN p.predicted = 'yes' AND python_lower(stripped(p.answer)) = 'yes' THEN 1 END) AS n_both
FROM pass_result AS p
INNER JOIN question_rule AS u ON p.question_id = u.question_id
INNER JOIN question_level AS l ON p.question_id = l.question_id
WHERE
    p.task = 'rule'
    AND u.rule = 'yes_no'
    AND is_counted(CASE WHEN p.resolved_by = 'missing' THEN 0 ELSE 1 END)
GROUP BY p.run_id, p.judge, l.ability_id
