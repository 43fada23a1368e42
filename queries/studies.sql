-- What scores are worth; {source} is a view of the studies.

-- name: suspect_answers
SELECT s.*, substr(q.text, 1, 300) AS text, count(*) OVER () AS n_all
FROM {source} AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
WHERE s.dataset = ? AND s.judge = ?
ORDER BY s.place
LIMIT ?
