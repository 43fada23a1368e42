-- What is left to label of a judge for a person, in its order, as a file of verdicts wants it;
-- without a person what nobody has labelled.
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
WHERE
    t.judge = $judge
    AND CASE WHEN $person IS NULL THEN len(t.labelled_by) = 0 ELSE NOT list_contains(t.labelled_by, $person) END
    AND ($benchmark IS NULL OR lower(r.benchmark) = lower($benchmark))
ORDER BY t.place
