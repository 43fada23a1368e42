-- What runs answered: one row per question and pass that the dataset holds, pass by pass, and in
-- each
-- in the order in which the questions came.
SELECT
    r.run_id, q.question_id, q.question_key, p.pass, q.text AS question, d.split, a.label AS answer,
    t.run_id IS NOT NULL AS is_there, t.text AS prediction
FROM main.run AS r
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.question AS q ON r.dataset_id = q.dataset_id
INNER JOIN main.question_pass AS p ON q.question_id = p.question_id
LEFT JOIN main.answer AS a
    ON p.question_id = a.question_id AND p.pass = a.pass AND a.superseded_by IS NULL
LEFT JOIN main.prediction AS t
    ON
        r.run_id = t.run_id
        AND p.question_id = t.question_id
        AND p.pass = t.pass
        AND t.sample = $sample
WHERE list_contains($run_ids, r.run_id)
ORDER BY p.pass, q.question_id
