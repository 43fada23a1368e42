-- The runs that a file's judgments graded. `stage_dataset` may hold several datasets for a split.

-- name: bind_rows
-- The rows with judgments, each with the question that it may be of in each dataset of the file.
CREATE OR REPLACE TEMP TABLE stage_grade_row AS
WITH known AS (
    SELECT d.split_key, q.question_key, q.question_id, q.dataset_id
    FROM stage_dataset AS d
    INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
    UNION ALL
    -- Judgments of answers to dropped questions are kept.
    SELECT d.split_key, q.question_key, q.question_id, q.dataset_id
    FROM stage_dataset AS d
    INNER JOIN main.dropped_question AS q ON d.dataset_id = q.dataset_id AND q.restored_by IS NULL
)

SELECT g.row, g.model, g.split_key, g.question_key, k.question_id, k.dataset_id
FROM (
    SELECT row, model, coalesce(split, '') AS split_key, question_key FROM stage_judgment
    UNION
    SELECT row, model, coalesce(split, '') AS split_key, question_key FROM stage_log
) AS g
LEFT JOIN known AS k ON g.split_key = k.split_key AND g.question_key = k.question_key

-- name: unknown_questions
SELECT row, question_key
FROM stage_grade_row
WHERE question_id IS NULL
ORDER BY row
LIMIT 1

-- name: live_runs
-- The runs of each model and dataset of the file; one row without a run where there is none.
WITH pairs AS (
    SELECT min(row) AS row, model, split_key, dataset_id
    FROM stage_grade_row
    WHERE question_id IS NOT NULL
    GROUP BY model, split_key, dataset_id
),

named AS (
    SELECT model_id, name, name AS known_as FROM main.model
    UNION ALL
    SELECT m.model_id, m.name, a.alias AS known_as
    FROM main.model_alias AS a
    INNER JOIN main.model AS m ON a.model_id = m.model_id
    ANTI JOIN main.model AS n ON a.alias = n.name
)

SELECT p.row, p.model, p.split_key, p.dataset_id, d.name AS dataset, m.name, r.run_id, r.label
FROM pairs AS p
INNER JOIN main.dataset AS d ON p.dataset_id = d.dataset_id
LEFT JOIN named AS m ON p.model = m.known_as
LEFT JOIN main.run AS r
    ON
        m.model_id = r.model_id
        AND p.dataset_id = r.dataset_id
        AND r.method = 'generation'
        AND r.superseded_by IS NULL
        AND r.retracted_at IS NULL
ORDER BY p.row, p.dataset_id, p.model, p.split_key, r.run_id

-- name: bind
CREATE OR REPLACE TEMP TABLE stage_graded AS
SELECT g.row, g.model, g.question_key, g.question_id, r.run_id
FROM stage_grade_row AS g
INNER JOIN stage_run AS r
    ON g.model = r.model AND g.split_key = r.split_key AND g.dataset_id = r.dataset_id

-- name: is_each_of_one_run
-- NULL where a question is unknown.
SELECT
    count(DISTINCT row) = (
        SELECT CASE WHEN count(*) = count(question_id) THEN count(DISTINCT row) END FROM stage_grade_row
    )
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
