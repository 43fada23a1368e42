-- Questions of a dataset, as local models score them. All by $dataset_id.

-- name: datasets
SELECT
    d.dataset_id,
    d.name,
    b.name AS benchmark,
    b.task,
    d.version,
    d.split,
    d.language
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
ORDER BY d.dataset_id

-- name: choices
SELECT
    q.question_id,
    q.question_key,
    q.text,
    c.pass,
    c.label,
    c.text AS choice
FROM main.question AS q
INNER JOIN main.choice AS c ON q.question_id = c.question_id
WHERE q.dataset_id = $dataset_id
ORDER BY q.question_id, c.pass, c.ordinal

-- name: hints
SELECT
    q.question_id,
    min(a.value) AS hint
FROM main.question AS q
INNER JOIN main.question_attribute AS a ON q.question_id = a.question_id
WHERE q.dataset_id = $dataset_id AND a.name = 'hint'
GROUP BY q.question_id

-- name: components
SELECT
    q.question_id,
    c.component
FROM main.question AS q
INNER JOIN main.question_component AS c ON q.question_id = c.question_id
WHERE q.dataset_id = $dataset_id

-- name: live_run
SELECT run_id
FROM main.run
WHERE
    model_id = $model_id
    AND dataset_id = $dataset_id
    AND label = $label
    AND superseded_by IS NULL
    AND retracted_at IS NULL
