-- Computing results.

-- name: definitions
SELECT name, "table", key, n_readers, rules, judgments_of, rows_of, columns, sql
FROM {internal}.definition
ORDER BY ordinal;

-- name: define
INSERT INTO {internal}.definition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: rules
SELECT DISTINCT u.rule
FROM current_run AS r
INNER JOIN main.benchmark_rule AS u ON r.benchmark_id = u.benchmark_id
WHERE u.superseded_by IS NULL
UNION
-- Of a question in words among questions of choice (see question_rule).
SELECT 'extracted' AS rule
FROM current_run AS r
INNER JOIN main.question AS q ON r.dataset_id = q.dataset_id
INNER JOIN main.reference_answer AS a ON q.question_id = a.question_id
WHERE r.task = 'choice';

-- name: judges
SELECT *
FROM {home}.main.judge
UNION ALL BY NAME
SELECT
    CAST(-t.n AS INTEGER) AS judge_id, repeat(' ', t.n) AS name, t.task, 'llm' AS kind,
    CAST(1 AS SMALLINT) AS max_attempts
FROM (
    SELECT unnest({tasks}) AS task, generate_subscripts({tasks}, 1) AS n
) AS t;

-- name: narrow prediction
SELECT * FROM {home}.main.prediction WHERE run_id IN ({among});

-- name: narrow choice_score
SELECT * FROM {home}.main.choice_score WHERE run_id IN ({among});

-- name: narrow question
SELECT *
FROM {home}.main.question
WHERE dataset_id IN (SELECT dataset_id FROM {home}.main.run WHERE run_id IN ({among}));

-- name: narrow question_pass
SELECT * FROM {home}.main.question_pass WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: narrow choice
SELECT * FROM {home}.main.choice WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: narrow answer
SELECT * FROM {home}.main.answer WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: narrow reference_answer
SELECT * FROM {home}.main.reference_answer WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: narrow question_ability
SELECT * FROM {home}.main.question_ability WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: narrow question_attribute
SELECT * FROM {home}.main.question_attribute WHERE question_id IN (SELECT question_id FROM temp.question);

-- name: judgments
CREATE TEMP VIEW judgment AS
SELECT *
FROM {home}.main.judgment
WHERE subject_hash IN ({hashes})
