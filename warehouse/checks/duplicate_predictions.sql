-- A run has two answers for the same question, pass and sample
SELECT run_id, question_id, pass, sample, count(*) AS n
FROM main.prediction
GROUP BY run_id, question_id, pass, sample
HAVING count(*) > 1
