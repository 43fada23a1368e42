-- Columns next to answers: the question's, or each answer's. A cell says the same as another where
-- only spreadsheets tell them apart: 4 and 4.0, or white space.

-- name: hold_back
DELETE FROM stage_attribute
WHERE list_contains($names, name)

-- name: keep_open
DELETE FROM stage_answer_attribute
WHERE NOT list_contains($names, name)

-- name: are_known
-- Whether the questions have what the file says of them, and nothing that it leaves blank.
WITH said AS (
    SELECT
        b.question_id, s.name,
        coalesce(CAST(TRY_CAST(s.value AS DOUBLE) AS VARCHAR), plain_text(s.value), '') AS plain
    FROM stage_answer_attribute AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
),

known AS (
    SELECT
        a.question_id, a.name,
        coalesce(CAST(TRY_CAST(a.value AS DOUBLE) AS VARCHAR), plain_text(a.value), '') AS plain
    FROM main.question_attribute AS a
    SEMI JOIN (
        SELECT b.question_id
        FROM {staged} AS s
        INNER JOIN stage_bound AS b
            ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    ) AS answered
        ON a.question_id = answered.question_id
    WHERE list_contains($names, a.name)
)

SELECT NOT EXISTS (
    SELECT 1
    FROM said AS s
    FULL OUTER JOIN known AS k ON s.question_id = k.question_id AND s.name = k.name
    WHERE s.plain IS DISTINCT FROM k.plain
) AS are_known

-- name: collect_said
-- What the file says of each question.
CREATE OR REPLACE TEMP TABLE stage_said AS
SELECT
    b.dataset_id, b.question_id, s.name, arg_min(s.value, s.row) AS value, min(s.plain) AS plain,
    count(DISTINCT s.plain) AS n_values
FROM (
    SELECT *, coalesce(CAST(TRY_CAST(value AS DOUBLE) AS VARCHAR), plain_text(value), '') AS plain
    FROM stage_answer_attribute
    WHERE list_contains($names, name)
) AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
GROUP BY b.dataset_id, b.question_id, s.name

-- name: collect_known
-- What questions have, and whether it stood next to answers.
CREATE OR REPLACE TEMP TABLE stage_known AS
WITH known AS (
    SELECT q.dataset_id, a.question_id, a.name, a.value, a.source_id
    FROM main.question_attribute AS a
    INNER JOIN main.question AS q ON a.question_id = q.question_id
    WHERE
        q.dataset_id IN (SELECT dataset_id FROM stage_dataset)
        AND list_contains($names, a.name)
),

said_by AS (
    SELECT source_id, from_json(flags -> '$.columns', '["VARCHAR"]') AS columns
    FROM main.source
    WHERE source_id IN (SELECT source_id FROM known)
)

SELECT
    k.*, coalesce(CAST(TRY_CAST(k.value AS DOUBLE) AS VARCHAR), plain_text(k.value), '') AS plain,
    coalesce(list_contains(s.columns, k.name), false) AS is_of_answers
FROM known AS k
INNER JOIN said_by AS s ON k.source_id = s.source_id

-- name: collect_runs
-- The runs whose files had a column that was the question's then.
CREATE OR REPLACE TEMP TABLE stage_sharing AS
SELECT
    r.run_id, r.dataset_id, r.superseded_by IS NULL AND r.retracted_at IS NULL AS is_live,
    unnest(from_json(s.flags -> '$.shared_columns', '["VARCHAR"]')) AS name
FROM main.run AS r
INNER JOIN main.source AS s ON r.source_id = s.source_id
WHERE
    r.dataset_id IN (SELECT dataset_id FROM stage_dataset)
    AND r.source_id <> $source_id
    AND contains(s.flags, '"shared_columns"')

-- name: decide
CREATE OR REPLACE TEMP TABLE stage_whose AS
WITH answered AS (
    SELECT DISTINCT b.dataset_id, b.question_id
    FROM {staged} AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
),

contradicted AS (
    SELECT dataset_id, name
    FROM stage_said
    WHERE n_values > 1
    UNION ALL
    SELECT k.dataset_id, k.name
    FROM stage_known AS k
    INNER JOIN answered AS a ON k.question_id = a.question_id
    LEFT JOIN stage_said AS s ON k.question_id = s.question_id AND k.name = s.name
    WHERE k.plain IS DISTINCT FROM s.plain
    UNION ALL
    -- A cell that was blank in another file with this column.
    SELECT s.dataset_id, s.name
    FROM stage_said AS s
    ANTI JOIN stage_known AS k ON s.question_id = k.question_id AND s.name = k.name
    SEMI JOIN (
        SELECT t.name, p.question_id
        FROM stage_sharing AS t
        INNER JOIN main.prediction AS p ON t.run_id = p.run_id
        WHERE t.is_live
    ) AS e
        ON s.question_id = e.question_id AND s.name = e.name
),

of_answers AS (
    SELECT DISTINCT r.dataset_id, a.name
    FROM main.answer_attribute AS a
    INNER JOIN main.run AS r ON a.run_id = r.run_id
    WHERE r.dataset_id IN (SELECT dataset_id FROM stage_dataset) AND list_contains($names, a.name)
),

known AS (
    SELECT dataset_id, name, bool_and(is_of_answers) AS is_of_answers
    FROM stage_known
    GROUP BY dataset_id, name
)

SELECT
    d.dataset_id, d.name,
    CASE
        WHEN NOT k.is_of_answers THEN 'question file'
        WHEN
            list_contains($own, d.name)
            OR (d.dataset_id, d.name) IN (SELECT (dataset_id, name) FROM contradicted)
            OR (k.name IS NULL AND o.name IS NOT NULL)
            THEN 'answers'
        ELSE 'question'
    END AS whose
FROM (SELECT DISTINCT dataset_id, unnest($names) AS name FROM stage_dataset) AS d
LEFT JOIN known AS k ON d.dataset_id = k.dataset_id AND d.name = k.name
LEFT JOIN of_answers AS o ON d.dataset_id = o.dataset_id AND d.name = o.name

-- name: of_answers
CREATE OR REPLACE TEMP TABLE stage_moved AS
SELECT k.*
FROM stage_known AS k
INNER JOIN stage_whose AS w ON k.dataset_id = w.dataset_id AND k.name = w.name
WHERE w.whose = 'answers'

-- name: collect_attributes
-- What a question file says.
CREATE OR REPLACE TEMP TABLE stage_given AS
SELECT
    question_id, name,
    coalesce(CAST(TRY_CAST(value AS DOUBLE) AS VARCHAR), plain_text(value), '') AS plain
FROM (
    SELECT b.question_id, s.name, arg_min(s.value, s.row) AS value
    FROM stage_attribute AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY b.question_id, s.name
)

-- name: attribute_names
SELECT DISTINCT name
FROM stage_given
ORDER BY name

-- name: other_than_questions
CREATE OR REPLACE TEMP TABLE stage_moved AS
SELECT k.*
FROM stage_known AS k
INNER JOIN stage_given AS g ON k.question_id = g.question_id AND k.name = g.name
WHERE k.is_of_answers AND k.plain <> g.plain

-- name: moved_names
SELECT DISTINCT name
FROM stage_moved
ORDER BY name

-- name: move
-- To the answers of every run whose file had the column. Of files that were read before that was
-- noted, it is known of the first one alone.
INSERT INTO main.answer_attribute (run_id, question_id, pass, sample, name, value)
SELECT p.run_id, p.question_id, p.pass, p.sample, m.name, m.value
FROM stage_moved AS m
INNER JOIN (
    SELECT run_id, name FROM stage_sharing
    UNION
    SELECT r.run_id, m.name
    FROM stage_moved AS m
    INNER JOIN main.run AS r ON m.source_id = r.source_id
) AS t
    ON m.name = t.name
INNER JOIN main.prediction AS p ON t.run_id = p.run_id AND m.question_id = p.question_id
ANTI JOIN main.answer_attribute AS a
    ON
        p.run_id = a.run_id
        AND p.question_id = a.question_id
        AND p.pass = a.pass
        AND p.sample = a.sample
        AND m.name = a.name

-- name: remove_moved
DELETE FROM main.question_attribute
USING stage_moved AS m
WHERE question_attribute.question_id = m.question_id AND question_attribute.name = m.name

-- name: add_to_questions
INSERT INTO main.question_attribute
SELECT s.question_id, s.name, s.value, $source_id
FROM stage_said AS s
INNER JOIN stage_whose AS w ON s.dataset_id = w.dataset_id AND s.name = w.name
ANTI JOIN stage_known AS k ON s.question_id = k.question_id AND s.name = k.name
WHERE w.whose = 'question'

-- name: drop_said
-- What is the question's is no answer's too.
DELETE FROM stage_answer_attribute
USING (
    SELECT b.split_key, b.question_key, w.name, w.whose, k.plain
    FROM stage_bound AS b
    INNER JOIN stage_whose AS w ON b.dataset_id = w.dataset_id
    LEFT JOIN stage_known AS k ON b.question_id = k.question_id AND w.name = k.name
    WHERE w.whose <> 'answers'
) AS o
WHERE
    coalesce(stage_answer_attribute.split, '') = o.split_key
    AND stage_answer_attribute.question_key = o.question_key
    AND stage_answer_attribute.name = o.name
    AND (
        o.whose = 'question'
        OR o.plain = coalesce(
            CAST(TRY_CAST(stage_answer_attribute.value AS DOUBLE) AS VARCHAR),
            plain_text(stage_answer_attribute.value), ''
        )
    )

-- name: remove_known
DELETE FROM main.question_attribute
USING (
    SELECT k.question_id, k.name
    FROM stage_known AS k
    INNER JOIN stage_given AS g ON k.question_id = g.question_id AND k.name = g.name
    WHERE k.is_of_answers
) AS o
WHERE question_attribute.question_id = o.question_id AND question_attribute.name = o.name

-- name: forget_what_questions_say
DELETE FROM main.answer_attribute
USING (
    SELECT r.run_id, g.question_id, g.name, g.plain
    FROM stage_given AS g
    INNER JOIN main.question AS q ON g.question_id = q.question_id
    INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
    INNER JOIN main.source AS s ON r.source_id = s.source_id
    WHERE list_contains(from_json(s.flags -> '$.columns', '["VARCHAR"]'), g.name)
) AS o
WHERE
    answer_attribute.run_id = o.run_id
    AND answer_attribute.question_id = o.question_id
    AND answer_attribute.name = o.name
    AND o.plain = coalesce(
        CAST(TRY_CAST(answer_attribute.value AS DOUBLE) AS VARCHAR), plain_text(answer_attribute.value), ''
    )
