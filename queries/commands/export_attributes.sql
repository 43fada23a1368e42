-- What else is known of the questions of runs' datasets, but for what became of their cells in a
-- spreadsheet: one row per question and name.
SELECT a.question_id, a.name, a.value
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
WHERE list_contains($run_ids, r.run_id) AND a.name <> 'spreadsheet cells'
UNION ALL
-- Open questions: their reference stands where the answer of the others does.
SELECT f.question_id, 'answer' AS name, string_agg(f.text, '<OR>' ORDER BY f.ordinal) AS value
FROM main.reference_answer AS f
INNER JOIN main.question AS q ON f.question_id = q.question_id
INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
WHERE list_contains($run_ids, r.run_id)
GROUP BY f.question_id
ORDER BY 2, 1
