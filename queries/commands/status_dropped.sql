-- The questions that were dropped and do not count, by dataset and the file that leaves them out.
SELECT
    d.name AS dataset, count(*) AS questions, min(q.question_key) AS "such as",
    s.path AS "left out by"
FROM main.dropped_question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.source AS s ON q.dropped_by = s.source_id
WHERE q.restored_by IS NULL
GROUP BY d.name, s.path
ORDER BY d.name, s.path
