-- A question was dropped, and counts
SELECT d.question_id, d.question_key
FROM main.dropped_question AS d
INNER JOIN main.question AS q
    ON d.question_id = q.question_id OR (d.dataset_id = q.dataset_id AND d.question_key = q.question_key)
WHERE d.restored_by IS NULL
