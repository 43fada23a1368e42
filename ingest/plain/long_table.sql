-- Questions and answers in one table: `raw_answer` has all rows, `raw` one of each question and
-- pass.
--
-- What a table of one's own leaves to be found out.
--
-- Our long format for questions.
--
-- What is refused of choice scores.

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

-- name: look_at_letters
SELECT count(*) AS n, count(*) FILTER (regexp_full_match(cell, '[A-Z]')) AS n_letters, max(cell) AS last
FROM (SELECT nullif(trim({cell}), '') AS cell FROM raw)
WHERE cell IS NOT NULL

-- name: benchmark
SELECT benchmark_id
FROM main.benchmark
WHERE lower(name) = lower($name)

-- name: levels
SELECT DISTINCT a.level
FROM main.ability AS a
INNER JOIN main.benchmark AS b ON a.benchmark_id = b.benchmark_id
WHERE lower(b.name) = lower($name)

-- name: task
SELECT DISTINCT b.task
FROM main.benchmark AS b
INNER JOIN main.dataset AS d ON b.benchmark_id = d.benchmark_id
WHERE lower(b.name) = lower($name)

-- name: listed
(SELECT {place}, {step}, {texts} FROM raw) AS r(row, split, key, step, texts),
unnest(range(1, len(r.texts) + 1)) AS n(place)

-- name: listed_or_alone
coalesce(
    (
        SELECT list(l.item ORDER BY l.ordinal)
        FROM stage_listed_reference AS l
        WHERE l.cell = {written}
    ),
    [{written}]
)

-- name: questions_of_several_scorers
SELECT row, question_key
FROM (
    SELECT
        *,
        first_value(scorer) OVER (
            PARTITION BY model, split, question_key, pass, sample, component
            ORDER BY row
        ) AS first_scorer
    FROM stage_score
)
WHERE scorer IS DISTINCT FROM first_scorer
ORDER BY row
LIMIT 1
