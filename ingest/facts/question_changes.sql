-- What a question file says otherwise than the dataset, and what is done about it with --replace.
-- After `bind`, which fills `stage_bound`; dropped questions are among those.

-- name: dropped_in_file
SELECT s.row, s.question_key, t.path
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.dropped_question AS d ON b.question_id = d.question_id AND d.restored_by IS NULL
LEFT JOIN main.source AS t ON d.dropped_by = t.source_id
ORDER BY s.row
LIMIT 1

-- name: find_restored
CREATE OR REPLACE TEMP TABLE stage_restored AS
SELECT DISTINCT d.question_id
FROM stage_question AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.dropped_question AS d ON b.question_id = d.question_id AND d.restored_by IS NULL

-- name: restore
INSERT INTO main.question (question_id, dataset_id, question_key, text, source_id)
SELECT d.question_id, d.dataset_id, d.question_key, d.text, d.source_id
FROM main.dropped_question AS d
SEMI JOIN stage_restored AS r ON d.question_id = r.question_id
WHERE d.restored_by IS NULL

-- name: note_restored
UPDATE main.dropped_question
SET restored_by = $source_id
WHERE restored_by IS NULL AND question_id IN (SELECT question_id FROM stage_restored)

-- name: find_texts
CREATE OR REPLACE TEMP TABLE stage_other_text AS
SELECT q.question_id, s.text
FROM (
    SELECT b.question_id, arg_min(s.text, s.pass) AS text
    FROM stage_question AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    WHERE s.text <> ''
    GROUP BY b.question_id
) AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
WHERE q.text <> '' AND s.text <> q.text

-- name: note_texts
INSERT INTO stage_question_change
SELECT question_id, 'text'
FROM stage_other_text

-- name: keep_texts
INSERT INTO main.superseded_fact
SELECT q.question_id, 'text', NULL, NULL, NULL, q.text, NULL, q.source_id, $source_id
FROM main.question AS q
SEMI JOIN stage_other_text AS s ON q.question_id = s.question_id

-- name: replace_texts
UPDATE main.question
SET text = s.text, source_id = $source_id
FROM stage_other_text AS s
WHERE question.question_id = s.question_id

-- name: find_passes
-- The passes of which the file has other choices.
CREATE OR REPLACE TEMP TABLE stage_other_pass AS
WITH staged AS (
    SELECT
        s.row, b.question_id, s.question_key, s.pass, s.answer,
        list(row(c.ordinal, c.label, c.text) ORDER BY c.ordinal, c.label) AS choices
    FROM stage_question AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    INNER JOIN stage_choice AS c ON s.row = c.row
    GROUP BY ALL
),

known AS (
    SELECT
        c.question_id, c.pass,
        list(row(c.ordinal, c.label, c.text) ORDER BY c.ordinal, c.label) AS choices
    FROM main.choice AS c
    SEMI JOIN staged AS s ON c.question_id = s.question_id
    GROUP BY c.question_id, c.pass
)

SELECT s.row, s.question_id, s.question_key, s.pass, s.answer
FROM staged AS s
INNER JOIN known AS k ON s.question_id = k.question_id AND s.pass = k.pass
WHERE s.choices <> k.choices

-- name: passes_left_behind
SELECT o.row, o.question_key, min(p.pass) AS pass
FROM stage_other_pass AS o
INNER JOIN main.question_pass AS p ON o.question_id = p.question_id
ANTI JOIN (
    SELECT b.question_id, s.pass
    FROM stage_question AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
) AS s ON p.question_id = s.question_id AND p.pass = s.pass
GROUP BY o.row, o.question_key
ORDER BY o.row
LIMIT 1

-- name: answers_left_behind
SELECT o.row, o.question_key, a.label
FROM stage_other_pass AS o
INNER JOIN main.answer AS a
    ON o.question_id = a.question_id AND o.pass = a.pass AND a.superseded_by IS NULL
WHERE o.answer IS NULL
ORDER BY o.row
LIMIT 1

-- name: scored_choices
SELECT o.row, o.question_key, s.label
FROM stage_other_pass AS o
INNER JOIN main.choice_score AS s ON o.question_id = s.question_id AND o.pass = s.pass
ANTI JOIN stage_choice AS c ON o.row = c.row AND s.label = c.label
ORDER BY o.row, s.label
LIMIT 1

-- name: find_choices
INSERT INTO stage_question_change
SELECT DISTINCT question_id, 'choice'
FROM stage_other_pass

-- name: keep_choices
INSERT INTO main.superseded_fact
SELECT c.question_id, 'choice', c.pass, c.ordinal, c.label, c.text, NULL, c.source_id, $source_id
FROM main.choice AS c
SEMI JOIN stage_other_pass AS o ON c.question_id = o.question_id AND c.pass = o.pass

-- name: remove_choices
DELETE FROM main.choice
USING stage_other_pass AS o
WHERE choice.question_id = o.question_id AND choice.pass = o.pass

-- name: replace_choices
INSERT INTO main.choice
SELECT o.question_id, o.pass, c.label, c.ordinal, c.text, $source_id
FROM stage_other_pass AS o
INNER JOIN stage_choice AS c ON o.row = c.row

-- name: find_references
INSERT INTO stage_question_change
WITH staged AS (
    SELECT b.question_id, list(s.text ORDER BY s.ordinal) AS texts
    FROM stage_reference AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY b.question_id
)

SELECT s.question_id, 'reference'
FROM staged AS s
INNER JOIN (
    SELECT question_id, list(text ORDER BY ordinal) AS texts
    FROM main.reference_answer
    GROUP BY question_id
) AS k ON s.question_id = k.question_id
WHERE s.texts <> k.texts

-- name: keep_references
-- `add_references` adds the file's where there are none.
INSERT INTO main.superseded_fact
SELECT r.question_id, 'reference', NULL, r.ordinal, NULL, r.text, NULL, r.source_id, $source_id
FROM main.reference_answer AS r
SEMI JOIN stage_question_change AS c ON r.question_id = c.question_id AND c.fact = 'reference'

-- name: remove_references
DELETE FROM main.reference_answer
WHERE question_id IN (SELECT question_id FROM stage_question_change WHERE fact = 'reference')

-- name: find_attributes
CREATE OR REPLACE TEMP TABLE stage_other_attribute AS
SELECT a.question_id, a.name
FROM (
    SELECT b.question_id, s.name, arg_min(s.value, s.row) AS value
    FROM stage_attribute AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY b.question_id, s.name
) AS s
INNER JOIN main.question_attribute AS a ON s.question_id = a.question_id AND s.name = a.name
WHERE s.value <> a.value

-- name: count_other_attributes
SELECT count(*) AS n, min(row(q.question_key, o.name)) AS example
FROM stage_other_attribute AS o
INNER JOIN main.question AS q ON o.question_id = q.question_id

-- name: note_attributes
INSERT INTO stage_question_change
SELECT DISTINCT question_id, 'attribute'
FROM stage_other_attribute

-- name: keep_attributes
-- `add_attributes` adds the file's where there are none; `add_images` too.
INSERT INTO main.superseded_fact
SELECT a.question_id, 'attribute', NULL, NULL, a.name, a.value, NULL, a.source_id, $source_id
FROM main.question_attribute AS a
SEMI JOIN stage_other_attribute AS o ON a.question_id = o.question_id AND a.name = o.name

-- name: remove_attributes
DELETE FROM main.question_attribute
USING stage_other_attribute AS o
WHERE question_attribute.question_id = o.question_id AND question_attribute.name = o.name

-- name: find_images
INSERT INTO stage_question_change
WITH staged AS (
    SELECT b.question_id, arg_min(s.image, s.row) AS image
    FROM stage_question AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    WHERE s.image IS NOT NULL
    GROUP BY b.question_id
)

SELECT s.question_id, 'image'
FROM staged AS s
INNER JOIN (
    SELECT question_id, string_agg(sha256, ' ' ORDER BY ordinal) AS hashes
    FROM main.question_image
    GROUP BY question_id
) AS k ON s.question_id = k.question_id
WHERE
    k.hashes <> CASE
        WHEN regexp_full_match(s.image, '[0-9a-f]{64}( [0-9a-f]{64})*') THEN s.image
        ELSE sha256(s.image)
    END

-- name: keep_images
INSERT INTO main.superseded_fact
SELECT i.question_id, 'image', NULL, i.ordinal, NULL, i.sha256, NULL, i.source_id, $source_id
FROM main.question_image AS i
SEMI JOIN stage_question_change AS c ON i.question_id = c.question_id AND c.fact = 'image'

-- name: remove_images
DELETE FROM main.question_image
WHERE question_id IN (SELECT question_id FROM stage_question_change WHERE fact = 'image')

-- name: find_abilities
-- Known abilities that the file contradicts: on a level of which it names others; and, of choice
-- questions, which are filed under their finest ability alone, one above a finer one of the file's.
CREATE OR REPLACE TEMP TABLE stage_other_ability AS
WITH RECURSIVE staged AS (
    SELECT DISTINCT b.question_id, f.level, f.ability_id
    FROM stage_filed AS f
    INNER JOIN stage_bound AS b
        ON coalesce(f.split, '') = b.split_key AND f.question_key = b.question_key
),

filed AS (
    SELECT q.question_id, q.ability_id, q.ability_id AS above_id
    FROM main.question_ability AS q
    SEMI JOIN staged AS s ON q.question_id = s.question_id
    UNION ALL
    SELECT f.question_id, f.ability_id, a.parent_id AS above_id
    FROM filed AS f
    INNER JOIN main.ability AS a ON f.above_id = a.ability_id
    WHERE a.parent_id IS NOT NULL
)

SELECT DISTINCT f.question_id, f.ability_id
FROM filed AS f
INNER JOIN main.ability AS a ON f.above_id = a.ability_id
INNER JOIN staged AS s ON f.question_id = s.question_id AND a.level = s.level
ANTI JOIN staged AS t ON f.question_id = t.question_id AND f.above_id = t.ability_id
UNION
SELECT q.question_id, q.ability_id
FROM main.question_ability AS q
INNER JOIN staged AS s ON q.question_id = s.question_id
INNER JOIN main.ability AS a ON s.ability_id = a.ability_id AND q.ability_id = a.parent_id
WHERE NOT $is_open

-- name: note_abilities
INSERT INTO stage_question_change
SELECT DISTINCT question_id, 'ability'
FROM stage_other_ability

-- name: keep_abilities
INSERT INTO main.superseded_fact
SELECT q.question_id, 'ability', NULL, NULL, NULL, NULL, q.ability_id, q.source_id, $source_id
FROM main.question_ability AS q
SEMI JOIN stage_other_ability AS o ON q.question_id = o.question_id AND q.ability_id = o.ability_id

-- name: remove_abilities
DELETE FROM main.question_ability
USING stage_other_ability AS o
WHERE question_ability.question_id = o.question_id AND question_ability.ability_id = o.ability_id

-- name: note_answers
INSERT INTO stage_question_change
SELECT DISTINCT question_id, 'answer'
FROM stage_answer
WHERE known <> answer

-- name: find_missing
CREATE OR REPLACE TEMP TABLE stage_missing AS
SELECT q.question_id, q.question_key
FROM stage_dataset AS d
INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
ANTI JOIN stage_question AS s ON d.split_key = coalesce(s.split, '') AND q.question_key = s.question_key

-- name: count_missing
SELECT count(*) AS n, min(question_key) AS example
FROM stage_missing

-- name: drop_missing
INSERT INTO main.dropped_question
SELECT q.question_id, q.dataset_id, q.question_key, q.text, q.source_id, $source_id, NULL
FROM main.question AS q
SEMI JOIN stage_missing AS m ON q.question_id = m.question_id

-- name: remove_missing
DELETE FROM main.question
WHERE question_id IN (SELECT question_id FROM stage_missing)

-- name: counts
SELECT
    (SELECT count(DISTINCT question_id) FROM stage_question_change) AS changed,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'text') AS text,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'choice') AS choice,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'answer') AS answer,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'reference') AS reference,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'ability') AS ability,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'attribute') AS attribute,
    (SELECT count(*) FROM stage_question_change WHERE fact = 'image') AS image

-- name: count_former_answers
-- Answers to what the file asks otherwise.
SELECT count(*) AS n, count(DISTINCT p.run_id) AS n_runs
FROM (
    SELECT run_id, question_id FROM main.prediction
    UNION ALL
    SELECT DISTINCT run_id, question_id FROM main.choice_score
) AS p
INNER JOIN main.run AS r ON p.run_id = r.run_id AND r.superseded_by IS NULL AND r.retracted_at IS NULL
SEMI JOIN (
    SELECT question_id FROM stage_question_change WHERE fact IN ('text', 'choice', 'image')
) AS c ON p.question_id = c.question_id

-- name: count_answers_to_dropped
SELECT count(*) AS n, count(DISTINCT b.question_id) AS n_questions
FROM {staged} AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.dropped_question AS d ON b.question_id = d.question_id AND d.restored_by IS NULL
