-- The runs that a file's judgments graded. `stage_bound` may hold several datasets for a split.

-- name: collect_rows
CREATE OR REPLACE TEMP TABLE stage_grade_row AS
SELECT DISTINCT row, model, coalesce(split, '') AS split_key, question_key FROM stage_judgment
UNION
SELECT DISTINCT row, model, coalesce(split, '') AS split_key, question_key FROM stage_log

-- name: unknown_questions
SELECT g.row, g.question_key
FROM stage_grade_row AS g
ANTI JOIN stage_bound AS b ON g.split_key = b.split_key AND g.question_key = b.question_key
ORDER BY g.row
LIMIT 1

-- name: models_and_datasets
SELECT
    min(g.row) AS row,
    g.model,
    b.split_key,
    b.dataset_id,
    d.name
FROM stage_grade_row AS g
INNER JOIN stage_bound AS b ON g.split_key = b.split_key AND g.question_key = b.question_key
INNER JOIN main.dataset AS d ON b.dataset_id = d.dataset_id
GROUP BY g.model, b.split_key, b.dataset_id, d.name
ORDER BY 1, b.dataset_id

-- name: live_runs
SELECT run_id, label
FROM main.run
WHERE
    model_id = $model_id
    AND dataset_id = $dataset_id
    AND method = 'generation'
    AND superseded_by IS NULL
    AND retracted_at IS NULL
ORDER BY run_id

-- name: bind
CREATE OR REPLACE TEMP TABLE stage_graded AS
SELECT g.row, g.model, g.question_key, b.question_id, r.run_id
FROM stage_grade_row AS g
INNER JOIN stage_bound AS b ON g.split_key = b.split_key AND g.question_key = b.question_key
INNER JOIN stage_run AS r
    ON g.model = r.model AND b.split_key = r.split_key AND b.dataset_id = r.dataset_id

-- name: is_each_of_one_run
SELECT
    count(DISTINCT row) = (SELECT count(DISTINCT row) FROM stage_grade_row)
    AND count(*) = count(DISTINCT row(row, question_key)) AS is_so
FROM stage_graded

-- name: questions_without_run
SELECT g.row, g.question_key, g.model
FROM stage_grade_row AS g
ANTI JOIN stage_graded AS b ON g.row = b.row
ORDER BY g.row
LIMIT 1

-- name: questions_of_several_datasets
SELECT row, question_key
FROM stage_graded
GROUP BY row, question_key
HAVING count(*) > 1
ORDER BY row
LIMIT 1

-- name: runs
SELECT DISTINCT r.run_id, concat(m.name, ' on ', d.name, ', ', r.label) AS words
FROM stage_graded AS g
INNER JOIN main.run AS r ON g.run_id = r.run_id
INNER JOIN main.model AS m ON r.model_id = m.model_id
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
ORDER BY r.run_id
