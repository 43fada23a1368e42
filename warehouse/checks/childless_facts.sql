-- A question without passes, a pass with fewer than two choices, or a run without samples
SELECT 'question' AS what, CAST(q.question_id AS VARCHAR) AS id
FROM main.question AS q
ANTI JOIN main.question_pass AS p ON q.question_id = p.question_id
UNION ALL
SELECT 'pass' AS what, CAST(row(p.question_id, p.pass) AS VARCHAR) AS id
FROM main.question_pass AS p
LEFT JOIN main.choice AS c ON p.question_id = c.question_id AND p.pass = c.pass
INNER JOIN main.question AS q ON p.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE b.task = 'choice'
GROUP BY p.question_id, p.pass
HAVING count(c.label) < 2
UNION ALL
SELECT 'run' AS what, CAST(r.run_id AS VARCHAR) AS id
FROM main.run AS r
ANTI JOIN main.run_sample AS s ON r.run_id = s.run_id
