-- VLMEvalKit's rows without columns A, B …: lists in one cell become choices and references.

-- name: label_choices
-- A choice that is written with its label, as `A. text` is, has that one if all of its list have.
CREATE OR REPLACE TEMP TABLE stage_listed_choice AS
WITH labelled AS (
    SELECT
        cell, ordinal, item, chr(CAST(65 + ordinal AS INTEGER)) AS label,
        regexp_full_match(item, chr(CAST(65 + ordinal AS INTEGER)) || '\. ?.*', 's') AS has_label
    FROM stage_choice_list
    WHERE item IS NOT NULL AND ordinal < 58
),

lists AS (
    SELECT cell, bool_and(has_label) AS have_labels
    FROM labelled
    GROUP BY cell
)

SELECT
    c.cell, c.ordinal, c.label,
    CASE WHEN l.have_labels THEN trim(substr(c.item, 3)) ELSE c.item END AS text
FROM labelled AS c
INNER JOIN lists AS l ON c.cell = l.cell

-- name: read_rows
CREATE OR REPLACE TEMP TABLE stage_open_row AS
SELECT
    r.__row AS row, {split} AS split, {key} AS question_key,
    nullif(CAST(r.question AS VARCHAR), '') AS text,
    nullif(CAST({reference} AS VARCHAR), '') AS reference, CAST({listed} AS VARCHAR) AS listed,
    {option} AS option, {is_list} AS is_list, nullif({image}, '') AS image
FROM raw AS r{joined}

-- name: stage_questions
-- The right choice: by its letter, or else the first one that has the answer's text.
INSERT INTO stage_question BY NAME
WITH right_choice AS (
    SELECT o.row, min(c.label) AS label
    FROM stage_open_row AS o
    INNER JOIN stage_listed_choice AS c ON o.listed = c.cell AND trim(o.reference) = trim(c.text)
    GROUP BY o.row
),

lettered AS (
    SELECT o.row, c.label
    FROM stage_open_row AS o
    INNER JOIN stage_listed_choice AS c
        ON o.listed = c.cell AND coalesce(o.option, trim(o.reference)) = c.label
)

SELECT
    o.row, o.split, o.question_key, o.text, o.image,
    CASE
        WHEN o.option IS NOT NULL THEN l.label
        ELSE coalesce(t.label, l.label)
    END AS answer
FROM stage_open_row AS o
LEFT JOIN lettered AS l ON o.row = l.row
LEFT JOIN right_choice AS t ON o.row = t.row

-- name: stage_choices
INSERT INTO stage_choice BY NAME
SELECT o.row, o.split, o.question_key, c.label, c.ordinal, c.text
FROM stage_open_row AS o
INNER JOIN stage_listed_choice AS c ON o.listed = c.cell

-- name: stage_references
-- A question of multiple choice has its answer's letter, and needs no reference.
INSERT INTO stage_reference BY NAME
SELECT o.row, o.split, o.question_key, coalesce(l.ordinal, 0) AS ordinal, coalesce(l.item, o.reference) AS text
FROM stage_open_row AS o
LEFT JOIN stage_listed_reference AS l ON NOT o.is_list AND o.reference = l.cell
WHERE
    o.reference IS NOT NULL
    AND (l.cell IS NULL OR l.item IS NOT NULL)
    AND NOT ($is_choice AND EXISTS (SELECT 1 FROM stage_listed_choice AS c WHERE c.cell = o.listed))

-- name: answers_among_no_choice
-- Of an open question the answer may be anything; a choice question's is one of its choices.
SELECT o.row, coalesce(o.option, o.reference) AS answer, o.question_key
FROM stage_open_row AS o
INNER JOIN stage_question AS q ON o.row = q.row
WHERE
    q.answer IS NULL
    AND EXISTS (SELECT 1 FROM stage_listed_choice AS c WHERE c.cell = o.listed)
    AND (o.option IS NOT NULL OR ($is_choice AND o.reference IS NOT NULL))
ORDER BY o.row
LIMIT 1

-- name: stage_entries
INSERT INTO stage_attribute
SELECT {place}, 'metadata.' || e.key, e.value
FROM raw AS r
INNER JOIN stage_entry AS e ON CAST(r.metadata AS VARCHAR) = e.cell
WHERE trim(e.value) <> ''
