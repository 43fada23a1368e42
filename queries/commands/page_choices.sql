-- The choices and the answer of each pass of some questions.
SELECT
    p.question_id, p.pass, c.label, c.text, c.label = p.answer AS is_answer,
    p.answer IS NULL AS is_hidden
FROM dataset_pass AS p
INNER JOIN main.choice AS c ON p.question_id = c.question_id AND p.pass = c.pass
WHERE list_contains($questions, p.question_id)
ORDER BY p.question_id, p.pass, c.ordinal
