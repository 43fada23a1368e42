-- Questions and answers in one table: `raw_answer` has all rows, `raw` one of each question and pass.

-- name: tell_questions
CREATE OR REPLACE TEMP TABLE stage_told AS
SELECT
    __row,
    {question_key} AS question_key,
    {told} AS told,
    {kept}(__row) OVER (PARTITION BY {split}, {question_key}, {pass_}) AS kept
FROM raw_answer

-- name: find_told_otherwise
CREATE OR REPLACE TEMP TABLE stage_told_otherwise AS
SELECT
    t.__row AS row,
    t.question_key,
    k.__row AS kept,
    list_filter(range(1, len(t.told) + 1), lambda n: t.told[n] <> k.told[n])[1] AS place
FROM stage_told AS t
INNER JOIN stage_told AS k ON t.kept = k.__row
WHERE t.told <> k.told

-- name: first_told_otherwise
SELECT row, CAST($names AS VARCHAR [])[place], question_key, kept
FROM stage_told_otherwise
ORDER BY row
LIMIT 1

-- name: count_told_otherwise
SELECT count(DISTINCT kept) AS n
FROM stage_told_otherwise

-- name: keep_one_row_each
CREATE TEMP VIEW raw AS
SELECT a.*
FROM raw_answer AS a
INNER JOIN stage_told AS t ON a.__row = t.__row
WHERE t.__row = t.kept
