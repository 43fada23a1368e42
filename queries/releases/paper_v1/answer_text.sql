-- The distinct texts that the runs that count answered to a question and pass: what matching has to look at.
SELECT DISTINCT
    p.question_id,
    p.pass,
    p.text
FROM main.prediction AS p
INNER JOIN current_run AS r ON p.run_id = r.run_id
