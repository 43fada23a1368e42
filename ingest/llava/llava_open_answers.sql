-- name: two_prompts
-- The first id that comes back with another prompt.
SELECT r.__row, trim(r.question_id) AS id, f.first_row
FROM raw AS r
INNER JOIN (
    SELECT trim(question_id) AS id, min(__row) AS first_row, arg_min(prompt, __row) AS prompt
    FROM raw
    GROUP BY trim(question_id)
) AS f ON trim(r.question_id) = f.id
WHERE r.prompt <> f.prompt
ORDER BY r.__row
LIMIT 1
