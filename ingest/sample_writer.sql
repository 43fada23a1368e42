-- What a reader's samples are about, and what its figures become.

-- name: add_figure
INSERT INTO main.harness_figure (
    model_id, benchmark_id, task, label, judge, metric, filter, reducer, value, source_id
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: run_of_file
-- The label, without a variant's ending, and the benchmark of the run that a file brought last.
SELECT coalesce(s.flags ->> '$.run', r.label) AS label, d.benchmark_id
FROM main.run AS r
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.source AS s ON r.source_id = s.source_id
WHERE
    r.model_id = $model_id
    AND contains(s.path, $file)
    AND r.superseded_by IS NULL
    AND r.retracted_at IS NULL
ORDER BY r.run_id DESC
LIMIT 1

-- name: are_own_keys
-- Whether all that is known of a benchmark's questions came from files of one format.
SELECT coalesce(bool_and(s.format = $format), true) AS are_own_keys
FROM main.benchmark AS b
INNER JOIN main.dataset AS d ON b.benchmark_id = d.benchmark_id
INNER JOIN main.dataset_source AS o ON d.dataset_id = o.dataset_id
INNER JOIN main.source AS s ON o.source_id = s.source_id
WHERE lower(b.name) = lower($name)

-- name: asked
-- The questions of a benchmark, their datasets and right choices, in the order in which they were
-- read.
SELECT d.version, d.split, d.language, q.question_key, q.text, c.text AS right_choice
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b
    ON d.benchmark_id = b.benchmark_id AND lower(b.name) = lower($benchmark)
LEFT JOIN main.answer AS a
    ON q.question_id = a.question_id AND a.pass = 0 AND a.superseded_by IS NULL
LEFT JOIN main.choice AS c ON q.question_id = c.question_id AND c.pass = 0 AND a.label = c.label
ORDER BY d.dataset_id, q.question_id
