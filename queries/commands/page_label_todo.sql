-- What is left to label for a person, in its order, without the model's name and the judge's
-- verdict.
SELECT t.run_id, t.question_id, t.pass, t.subject_hash, r.task, r.dataset
FROM label_todo AS t
INNER JOIN current_run AS r ON t.run_id = r.run_id
WHERE t.judge = $judge AND NOT list_contains(t.labelled_by, $annotator)
ORDER BY t.place
LIMIT $most
