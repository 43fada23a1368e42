-- The questions of samples that hold no ids.

-- name: find_questions
SELECT a.row, count(DISTINCT q.question_key) AS n, min(q.question_key) AS question_key
FROM stage_unidentified AS a
INNER JOIN main.question AS q ON a.text = q.text
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b
    ON d.benchmark_id = b.benchmark_id AND lower(b.name) = lower($benchmark)
INNER JOIN main.answer AS s
    ON q.question_id = s.question_id AND s.pass = 0 AND s.superseded_by IS NULL
INNER JOIN main.choice AS c
    ON q.question_id = c.question_id AND c.pass = 0 AND s.label = c.label AND a.target = c.text
GROUP BY a.row
