-- What is left to label of a judge, in its order, as a file of verdicts wants it.
SELECT
    t.question_key,
    t.model,
    t.run,
    t.pass,
    t.sample,
    t.prediction,
    q.text AS question,
    t.task,
    t.judge AS "checks",
    t.subject_hash
FROM label_todo AS t
INNER JOIN main.question AS q ON t.question_id = q.question_id
INNER JOIN current_run AS r ON t.run_id = r.run_id
WHERE t.judge = $judge AND ($benchmark IS NULL OR lower(r.benchmark) = lower($benchmark))
ORDER BY t.place
