-- A run has two scores for the same choice
SELECT run_id, question_id, pass, sample, component, label, count(*) AS n
FROM main.choice_score
GROUP BY run_id, question_id, pass, sample, component, label
HAVING count(*) > 1
