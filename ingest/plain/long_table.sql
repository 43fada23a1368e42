-- Questions and answers in one table: `raw_answer` has all rows, `raw` one of each question and
-- pass.

-- name: say_of_questions
CREATE OR REPLACE TEMP TABLE stage_said AS
SELECT
    __row, {question_key} AS question_key, {said} AS said,
    {kept}(__row) OVER (PARTITION BY {split}, {question_key}, {pass_}) AS kept
FROM raw_answer

-- name: find_said_otherwise
CREATE OR REPLACE TEMP TABLE stage_said_otherwise AS
SELECT
    t.__row AS row, t.question_key, k.__row AS kept,
    list_filter(range(1, len(t.said) + 1), lambda n: t.said[n] <> k.said[n])[1] AS place
FROM stage_said AS t
INNER JOIN stage_said AS k ON t.kept = k.__row
WHERE t.said <> k.said

-- name: first_said_otherwise
SELECT row, CAST($names AS VARCHAR [])[place], question_key, kept
FROM stage_said_otherwise
ORDER BY row
LIMIT 1

-- name: count_said_otherwise
SELECT count(DISTINCT kept) AS n
FROM stage_said_otherwise

-- name: keep_one_row_each
CREATE TEMP VIEW raw AS
SELECT a.*
FROM raw_answer AS a
INNER JOIN stage_said AS t ON a.__row = t.__row
WHERE t.__row = t.kept

-- name: count_hidden
SELECT count(*) AS n
FROM stage_question AS q
ANTI JOIN stage_reference AS r ON q.row = r.row
WHERE q.answer IS NULL
