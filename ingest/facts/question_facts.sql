-- From staged questions to facts. `stage_bound` holds the questions that the datasets of the file
-- have; a staged split of NULL is the key ''.

-- name: collect_rows_to_check
CREATE OR REPLACE TEMP TABLE stage_to_check AS
SELECT s.*
FROM stage_question AS s
LEFT JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
LEFT JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
WHERE $role = 'questions' OR p.pass IS NULL

-- name: questions_without_text
SELECT row, question_key
FROM stage_to_check
WHERE text IS NULL
ORDER BY row
LIMIT 1

-- name: collect_labels
CREATE OR REPLACE TEMP TABLE stage_labels AS
SELECT row, list(label ORDER BY ordinal) AS labels
FROM stage_choice
WHERE row IN (SELECT row FROM stage_to_check)
GROUP BY row

-- name: questions_without_choices
SELECT q.row, q.question_key, coalesce(len(l.labels), 0) AS n_choices
FROM stage_to_check AS q
LEFT JOIN stage_labels AS l ON q.row = l.row
WHERE
    coalesce(len(l.labels), 0) < 2
    AND coalesce(len(l.labels), 0) >= {least}
    -- A question that has references and no choices is answered in words.
    AND NOT (l.labels IS NULL AND q.row IN (SELECT row FROM stage_reference))
ORDER BY q.row
LIMIT 1

-- name: choices_beyond_z
SELECT row, question_key, count(*) AS n_choices
FROM stage_choice
WHERE row IN (SELECT row FROM stage_to_check)
GROUP BY row, question_key
HAVING max(ordinal) >= 26
ORDER BY row
LIMIT 1

-- name: passes_beyond_choices
SELECT q.row, q.question_key, q.pass, len(l.labels) AS n_choices
FROM stage_to_check AS q
INNER JOIN stage_labels AS l ON q.row = l.row
WHERE q.pass >= len(l.labels)
ORDER BY q.row
LIMIT 1

-- name: answers_that_are_no_choice
SELECT q.row, q.question_key, q.answer, array_to_string(l.labels, ', ') AS labels
FROM stage_to_check AS q
INNER JOIN stage_labels AS l ON q.row = l.row
WHERE q.answer IS NOT NULL AND NOT list_contains(l.labels, q.answer)
ORDER BY q.row
LIMIT 1

-- name: passes_after_a_gap
SELECT max(row) AS row, question_key, max(pass) AS last_pass, count(*) AS n_passes
FROM stage_to_check
GROUP BY split, question_key
HAVING max(pass) >= count(*)
ORDER BY 1
LIMIT 1

-- name: bind
CREATE OR REPLACE TEMP TABLE stage_bound AS
SELECT d.split_key, q.question_key, q.question_id, q.dataset_id, d.complete
FROM stage_dataset AS d
INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
UNION ALL
-- Answers to dropped questions are kept.
SELECT d.split_key, q.question_key, q.question_id, q.dataset_id, d.complete
FROM stage_dataset AS d
INNER JOIN main.dropped_question AS q ON d.dataset_id = q.dataset_id AND q.restored_by IS NULL

-- name: questions_beyond_a_complete_dataset
SELECT s.row, s.question_key
FROM stage_question AS s
INNER JOIN stage_dataset AS d ON coalesce(s.split, '') = d.split_key
ANTI JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
WHERE d.complete
ORDER BY s.row
LIMIT 1

-- name: passes_beyond_a_complete_dataset
SELECT s.row, s.question_key, s.pass
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
WHERE b.complete
ORDER BY s.row
LIMIT 1

-- name: find_completed
CREATE OR REPLACE TEMP TABLE stage_completed AS
SELECT s.row, b.question_id, s.text
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id
WHERE q.text = '' AND s.text <> '' AND s.pass = 0

-- name: complete_questions
UPDATE main.question
SET text = s.text, source_id = $source_id
FROM stage_completed AS s
WHERE question.question_id = s.question_id

-- name: forget_assumed_choices
DELETE FROM main.choice
USING stage_completed AS s
WHERE choice.question_id = s.question_id AND choice.pass = 0

-- name: add_completed_choices
INSERT INTO main.choice
SELECT s.question_id, c.pass, c.label, c.ordinal, c.text, $source_id
FROM stage_completed AS s
INNER JOIN stage_choice AS c ON s.row = c.row

-- name: count_known_by_id
SELECT count(*) AS n
FROM main.question
WHERE source_id = $source_id AND text = ''

-- name: add_components
INSERT INTO main.question_component
SELECT DISTINCT b.question_id, s.component, $source_id
FROM stage_component AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id
ANTI JOIN main.question_component AS k ON b.question_id = k.question_id
WHERE q.source_id = $source_id
ORDER BY ALL

-- name: other_components
WITH staged AS (
    SELECT
        s.row, any_value(s.field) AS field, b.question_id, b.question_key,
        list_sort(list_distinct(list(s.component))) AS components
    FROM stage_component AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY s.row, b.question_id, b.question_key
),

known AS (
    SELECT question_id, list_sort(list(component)) AS components
    FROM main.question_component
    GROUP BY question_id
)

SELECT
    t.row, t.field, t.question_key, array_to_string(t.components, ' and ') AS here,
    coalesce(array_to_string(k.components, ' and '), 'one thing') AS there
FROM staged AS t
LEFT JOIN known AS k ON t.question_id = k.question_id
WHERE t.components IS DISTINCT FROM k.components
ORDER BY t.row
LIMIT 1

-- name: add_questions
INSERT INTO main.question
SELECT
    $first_id - 1 + row_number() OVER (ORDER BY first_row), dataset_id, question_key, text,
    $source_id
FROM (
    SELECT d.dataset_id, s.question_key, min(s.row) AS first_row, arg_min(s.text, s.pass) AS text
    FROM stage_question AS s
    INNER JOIN stage_dataset AS d ON coalesce(s.split, '') = d.split_key
    ANTI JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY d.dataset_id, s.question_key
)

-- name: find_new_passes
CREATE OR REPLACE TEMP TABLE stage_new_pass AS
SELECT s.row, b.question_id, s.pass
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass

-- name: add_passes
INSERT INTO main.question_pass
SELECT question_id, pass, $source_id
FROM stage_new_pass

-- name: add_choices
INSERT INTO main.choice
SELECT n.question_id, n.pass, c.label, c.ordinal, c.text, $source_id
FROM stage_new_pass AS n
INNER JOIN stage_choice AS c ON n.row = c.row

-- name: count_other_texts
SELECT count(*) AS n, min(s.question_key) AS example
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id
WHERE CASE WHEN s.text = q.text THEN false ELSE plain_text(s.text) <> plain_text(q.text) END

-- name: other_texts
SELECT s.row, s.question_key, s.text, q.text AS known
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id
WHERE CASE WHEN s.text = q.text THEN false ELSE plain_text(s.text) <> plain_text(q.text) END
ORDER BY s.row
LIMIT 1

-- name: find_other_choices
CREATE OR REPLACE TEMP TABLE stage_other AS
SELECT s.row, s.pass, s.question_key, s.label, s.text AS staged, c.text AS known
FROM stage_choice AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
LEFT JOIN main.choice AS c
    ON b.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
WHERE
    -- A choice that the file does not know is no other one.
    s.text <> ''
    AND CASE
        WHEN s.text = c.text THEN false
        ELSE plain_text(s.text) IS DISTINCT FROM plain_text(c.text)
    END

-- name: choices_in_another_order
SELECT row, question_key, pass
FROM stage_other
GROUP BY row, question_key, pass
HAVING count(*) > 1 AND list_sort(list(plain_text(staged))) = list_sort(list(plain_text(known)))
ORDER BY row
LIMIT 1

-- name: count_other_choices
SELECT count(*) AS n, min(question_key) AS example
FROM stage_other

-- name: other_choices
SELECT row, question_key, label, staged, known
FROM stage_other
ORDER BY row, label
LIMIT 1

-- name: find_answers
CREATE OR REPLACE TEMP TABLE stage_answer AS
SELECT s.row, s.question_key, b.question_id, s.pass, s.answer, a.label AS known
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
LEFT JOIN main.answer AS a
    ON b.question_id = a.question_id AND s.pass = a.pass AND a.superseded_by IS NULL
WHERE s.answer IS NOT NULL

-- name: supersede_answers
UPDATE main.answer
SET superseded_by = $source_id
FROM stage_answer AS s
WHERE
    answer.question_id = s.question_id
    AND answer.pass = s.pass
    AND answer.superseded_by IS NULL
    AND s.known <> s.answer

-- name: forget_superseded
UPDATE stage_answer
SET known = NULL
WHERE known <> answer

-- name: contradicted_answers
SELECT row, question_key, pass, answer, known
FROM stage_answer
WHERE known <> answer
ORDER BY row
LIMIT 1

-- name: count_contradicted_answers
SELECT count(*) AS n, min(question_key) AS example
FROM stage_answer
WHERE known <> answer

-- name: add_answers
INSERT INTO main.answer
SELECT s.question_id, s.pass, s.answer, $source_id, NULL
FROM stage_answer AS s
INNER JOIN main.choice AS c
    ON s.question_id = c.question_id AND s.pass = c.pass AND s.answer = c.label
WHERE s.known IS NULL

-- name: new_facts
-- What the file says first: its changes have a line of their own.
SELECT 'question' AS fact, count(*) AS n
FROM main.question AS q
ANTI JOIN stage_question_change AS c ON q.question_id = c.question_id AND c.fact = 'text'
WHERE q.source_id = $source_id
UNION ALL
SELECT 'pass' AS fact, count(*) AS n
FROM main.question_pass
WHERE source_id = $source_id
UNION ALL
SELECT 'answer' AS fact, count(*) AS n
FROM main.answer AS a
ANTI JOIN stage_question_change AS c ON a.question_id = c.question_id AND c.fact = 'answer'
WHERE a.source_id = $source_id
UNION ALL
SELECT 'reference' AS fact, count(*) AS n
FROM main.reference_answer AS r
ANTI JOIN stage_question_change AS c ON r.question_id = c.question_id AND c.fact = 'reference'
WHERE r.source_id = $source_id
UNION ALL
SELECT 'ability' AS fact, count(DISTINCT a.question_id) AS n
FROM main.question_ability AS a
ANTI JOIN stage_question_change AS c ON a.question_id = c.question_id AND c.fact = 'ability'
WHERE a.source_id = $source_id

-- name: add_attributes
INSERT INTO main.question_attribute
SELECT b.question_id, s.name, arg_min(s.value, s.row), $source_id
FROM stage_attribute AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.question_attribute AS a ON b.question_id = a.question_id AND s.name = a.name
GROUP BY b.question_id, s.name

-- name: add_images
INSERT INTO main.question_image
WITH staged AS (
    SELECT
        b.question_id,
        string_split(
            arg_min(
                CASE
                    WHEN regexp_full_match(s.image, '[0-9a-f]{64}( [0-9a-f]{64})*') THEN s.image
                    ELSE sha256(s.image)
                END,
                s.row
            ),
            ' '
        ) AS hashes
    FROM stage_question AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    ANTI JOIN main.question_image AS i ON b.question_id = i.question_id
    WHERE s.image IS NOT NULL
    GROUP BY b.question_id
)

SELECT t.question_id, p.place, t.hashes[p.place + 1], $source_id
FROM staged AS t, unnest(range(len(t.hashes))) AS p (place)

-- name: note_dataset_source
INSERT INTO main.dataset_source
SELECT DISTINCT dataset_id, $source_id, $role
FROM stage_dataset
