-- What is left to label of a judge for a person, in its order, as a file of verdicts wants it, with
-- what a person has to see: the choices, or the references of an open question. Without a person
-- what nobody has labelled.
SELECT
    t.question_key, t.model, t.run, t.pass, t.sample, t.prediction, q.text AS question,
    (
        SELECT string_agg(c.label || '. ' || c.text, ' | ' ORDER BY c.ordinal)
        FROM main.choice AS c
        WHERE c.question_id = t.question_id AND c.pass = t.pass
    ) AS choices,
    (
        SELECT string_agg(a.text, ' | ' ORDER BY a.ordinal)
        FROM main.reference_answer AS a
        WHERE a.question_id = t.question_id
    ) AS "references",
    t.task, t.judge AS "checks", t.subject_hash
FROM label_todo AS t
INNER JOIN main.question AS q ON t.question_id = q.question_id
INNER JOIN current_run AS r ON t.run_id = r.run_id
WHERE
    t.judge = $judge
    AND CASE WHEN $person IS NULL THEN len(t.labelled_by) = 0 ELSE NOT list_contains(t.labelled_by, $person) END
    AND ($benchmark IS NULL OR lower(r.benchmark) = lower($benchmark))
ORDER BY t.place
