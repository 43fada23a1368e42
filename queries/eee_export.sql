-- Runs as Every Eval Ever has them.

-- name: template
SELECT t.text
FROM main.judge AS j
INNER JOIN main.judge_template AS t ON j.template_sha256 = t.template_sha256
WHERE j.name = $judge
