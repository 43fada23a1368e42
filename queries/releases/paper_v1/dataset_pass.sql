-- Every pass that a dataset holds, with its answer. One row per question and pass.
-- @answer The right label; NULL where answers are hidden.
SELECT
    q.dataset_id,
    q.question_id,
    q.question_key,
    p.pass,
    a.label AS answer
FROM main.question AS q
INNER JOIN main.question_pass AS p ON q.question_id = p.question_id
LEFT JOIN main.answer AS a
    ON p.question_id = a.question_id AND p.pass = a.pass AND a.superseded_by IS NULL
