-- The choices of runs' datasets.
SELECT c.question_id, c.pass, c.label, c.text
FROM main.choice AS c
INNER JOIN main.question AS q ON c.question_id = q.question_id
INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
WHERE list_contains($run_ids, r.run_id)
ORDER BY c.question_id, c.pass, c.ordinal
