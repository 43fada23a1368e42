-- An answer or choice score names a label that is none of the choices
SELECT 'answer' AS table_name, a.question_id, a.pass, a.label
FROM main.answer AS a
ANTI JOIN main.choice AS c ON a.question_id = c.question_id AND a.pass = c.pass AND a.label = c.label
UNION ALL
SELECT DISTINCT 'choice_score' AS table_name, s.question_id, s.pass, s.label
FROM main.choice_score AS s
ANTI JOIN main.choice AS c ON s.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
