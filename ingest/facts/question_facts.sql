-- From staged questions to facts. `stage_bound` holds the questions that the datasets of the file
-- have; a staged split of NULL is the key ''.
--
-- Open questions: references, capabilities and their combinations.
--
-- Choices without a text, and the texts that a later file has of them.
--
-- Under which abilities questions are filed, and the taxonomy of a benchmark of the user's own.

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

-- name: questions_without_reference
SELECT q.row, q.question_key
FROM stage_to_check AS q
ANTI JOIN stage_reference AS r ON q.row = r.row
ORDER BY q.row
LIMIT 1

-- name: further_passes
SELECT row, question_key, pass
FROM stage_to_check
WHERE pass <> 0
ORDER BY row
LIMIT 1

-- name: find_other_references
CREATE OR REPLACE TEMP TABLE stage_other_reference AS
WITH staged AS (
    SELECT
        s.row, b.question_id, b.question_key,
        list(plain_text(regexp_replace(s.text, '\s*<(AND|OR)>\s*', '<\1>', 'g'))) AS texts
    FROM stage_reference AS s
    INNER JOIN stage_bound AS b
        ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
    GROUP BY ALL
),

known AS (
    SELECT
        question_id,
        list(plain_text(regexp_replace(text, '\s*<(AND|OR)>\s*', '<\1>', 'g'))) AS texts
    FROM main.reference_answer
    GROUP BY question_id
)

SELECT t.row, t.question_key
FROM staged AS t
INNER JOIN known AS k ON t.question_id = k.question_id
WHERE list_sort(t.texts) <> list_sort(k.texts)

-- name: other_references
SELECT row, question_key
FROM stage_other_reference
ORDER BY row
LIMIT 1

-- name: count_other_references
SELECT count(*) AS n, min(question_key) AS example
FROM stage_other_reference

-- name: add_references
INSERT INTO main.reference_answer
SELECT b.question_id, s.ordinal, s.text, $source_id
FROM stage_reference AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.reference_answer AS r ON b.question_id = r.question_id

-- name: staged_integrations
SELECT DISTINCT spelling
FROM stage_ability
WHERE level = 'integration'
ORDER BY spelling

-- name: known_spellings
SELECT DISTINCT a.level, lower(s.spelling) AS spelling
FROM main.ability AS a
INNER JOIN main.ability_spelling AS s ON a.ability_id = s.ability_id
WHERE a.benchmark_id = $benchmark_id

-- name: name_integration
UPDATE stage_ability
SET spelling = $name
WHERE level = 'integration' AND spelling = $written

-- name: collect_abilities
CREATE OR REPLACE TEMP TABLE stage_question_ability AS
SELECT f.row, f.field, f.spelling, f.ability_id, a.level, b.question_id, b.question_key
FROM stage_filed AS f
INNER JOIN stage_bound AS b
    ON coalesce(f.split, '') = b.split_key AND f.question_key = b.question_key
INNER JOIN main.ability AS a ON f.ability_id = a.ability_id

-- name: other_abilities
WITH staged AS (
    SELECT
        question_id, level, min(row) AS row, any_value(field) AS field,
        any_value(question_key) AS question_key,
        string_agg(DISTINCT spelling, ', ' ORDER BY spelling) AS spellings,
        list_sort(list_distinct(list(ability_id))) AS abilities
    FROM stage_question_ability
    GROUP BY question_id, level
),

known AS (
    SELECT q.question_id, a.level, list_sort(list(q.ability_id)) AS abilities
    FROM main.question_ability AS q
    INNER JOIN main.ability AS a ON q.ability_id = a.ability_id
    GROUP BY q.question_id, a.level
)

SELECT t.row, t.field, t.question_key, t.spellings
FROM staged AS t
INNER JOIN known AS k ON t.question_id = k.question_id AND t.level = k.level
WHERE t.abilities <> k.abilities
ORDER BY t.row
LIMIT 1

-- name: add_question_abilities
INSERT INTO main.question_ability
SELECT DISTINCT t.question_id, t.ability_id, $source_id
FROM stage_question_ability AS t
ANTI JOIN main.question_ability AS q
    ON t.question_id = q.question_id AND t.ability_id = q.ability_id
ORDER BY t.question_id, t.ability_id

-- name: find_mended
-- Also those that a results file could not know of: the last ones of a question, blank as well.
CREATE OR REPLACE TEMP TABLE stage_mended AS
SELECT b.question_id, s.pass, s.label, s.ordinal, s.text
FROM stage_choice AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id AND q.text <> ''
INNER JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
LEFT JOIN main.choice AS c
    ON b.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
WHERE
    s.text <> ''
    AND (
        c.text = ''
        OR (
            c.label IS NULL
            AND NOT b.complete
            AND s.text IN (
                '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>',
                'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'
            )
        )
    )

-- name: forget_blank
DELETE FROM main.choice
USING stage_mended AS s
WHERE choice.question_id = s.question_id AND choice.pass = s.pass AND choice.label = s.label

-- name: add_mended
INSERT INTO main.choice
SELECT question_id, pass, label, ordinal, text, $source_id
FROM stage_mended

-- name: count_unknown
SELECT count(*) AS n, min(row(q.question_key, c.label)) AS example
FROM main.choice AS c
INNER JOIN main.question AS q ON c.question_id = q.question_id
WHERE c.source_id = $source_id AND c.text = '' AND q.text <> ''

-- name: name_finest_level
-- VLMEvalKit's column category is MMBench's l3, and in other benchmarks the finest level of the
-- tree.
UPDATE stage_ability
SET level = finest.level
FROM (
    SELECT any_value(level) AS level
    FROM main.ability
    WHERE
        benchmark_id = $benchmark_id
        AND ability_id NOT IN (SELECT parent_id FROM main.ability WHERE parent_id IS NOT NULL)
        AND ability_id NOT IN (SELECT ability_id FROM main.ability_part)
    HAVING count(DISTINCT level) = 1
) AS finest
WHERE
    stage_ability.field = 'category'
    AND stage_ability.level NOT IN (
        SELECT level FROM main.ability WHERE benchmark_id = $benchmark_id
    )

-- name: put_on_level
-- A name such as metadata.category is of the column category.
UPDATE stage_ability
SET level = $level, depth = $depth
WHERE
    (lower(field) = $column OR ends_with(lower(field), '.' || $column))
    AND level <> $level

-- name: put_apart
-- What an adapter took for abilities and the benchmark names no level for, such as a category that
-- all questions have, is below none of its levels.
UPDATE stage_ability
SET depth = depth % 10 + 10 * $n_levels
WHERE NOT list_contains($levels, level)

-- name: leave_levels
-- A level that was taken away does not come back with another file.
DELETE FROM stage_ability
WHERE
    level IN (
        SELECT level
        FROM main.ability
        WHERE benchmark_id = $benchmark_id AND superseded_by IS NOT NULL
    )

-- name: take_attribute
INSERT INTO stage_ability
WITH written AS (
    SELECT
        row, split, question_key, name,
        unnest(
            CASE
                WHEN $separator IS NULL THEN [value]
                WHEN l.items IS NOT NULL THEN l.items
                ELSE string_split(value, $separator)
            END
        ) AS spelling
    FROM stage_attribute AS s
    LEFT JOIN (
        SELECT cell, list(item ORDER BY ordinal) FILTER (item IS NOT NULL) AS items
        FROM stage_listed
        GROUP BY cell
    ) AS l ON s.value = l.cell
    WHERE
        lower(name) = $column
        AND NOT EXISTS (SELECT 1 FROM stage_ability AS a WHERE a.row = s.row AND a.level = $level)
)

SELECT DISTINCT row, split, question_key, $depth, $level, name, trim(spelling)
FROM written
WHERE trim(spelling) <> ''

-- name: find_abilities
CREATE OR REPLACE TEMP TABLE stage_filed AS
SELECT
    s.row, s.split, s.question_key, s.depth, s.level, s.field, s.spelling, a.ability_id, a.parent_id
FROM stage_ability AS s
LEFT JOIN (
    SELECT DISTINCT a.ability_id, a.parent_id, a.level, lower(p.spelling) AS spelling
    FROM main.ability AS a
    INNER JOIN main.ability_spelling AS p ON a.ability_id = p.ability_id
    WHERE a.benchmark_id = $benchmark_id
) AS a ON lower(s.spelling) = a.spelling AND s.level = a.level

-- name: unknown_categories
SELECT row, field, spelling
FROM stage_filed
WHERE ability_id IS NULL
ORDER BY row, depth
LIMIT 1

-- name: misplaced_categories
SELECT f.row, f.field, f.spelling, u.spelling AS above
FROM stage_filed AS f
INNER JOIN stage_filed AS u ON f.row = u.row AND f.depth - 1 = u.depth
WHERE f.parent_id IS DISTINCT FROM u.ability_id
ORDER BY f.row
LIMIT 1

-- name: file_questions
-- The finest one of each division; the depths of a division are below ten.
INSERT INTO main.question_ability
WITH division AS (
    SELECT DISTINCT level, depth // 10 AS division
    FROM stage_filed
),

known AS (
    SELECT q.question_id, d.division
    FROM main.question_ability AS q
    INNER JOIN main.ability AS a ON q.ability_id = a.ability_id
    LEFT JOIN division AS d ON a.level = d.level
    WHERE a.benchmark_id = $benchmark_id
)

SELECT b.question_id, CAST(arg_max(s.ability_id, s.depth * 1e9 - s.row) AS INTEGER), $source_id
FROM stage_filed AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN known AS k
    ON b.question_id = k.question_id AND coalesce(k.division, s.depth // 10) = s.depth // 10
GROUP BY b.question_id, s.depth // 10

-- name: tell_apart
-- An ability of the same name under two others is two abilities, each with the name above before
-- its own; so it is in later files, where only one of the two turns up.
UPDATE stage_ability AS f
SET spelling = u.spelling || ' / ' || f.spelling
FROM stage_ability AS u
WHERE
    f.row = u.row
    AND f.depth - 1 = u.depth
    AND (
        EXISTS (
            SELECT 1
            FROM main.ability AS a
            INNER JOIN main.ability_spelling AS k ON a.ability_id = k.ability_id
            WHERE
                a.benchmark_id = $benchmark_id
                AND a.level = f.level
                AND lower(k.spelling) = lower(u.spelling || ' / ' || f.spelling)
        )
        OR (
            $is_made
            AND (f.level, lower(f.spelling)) IN (
                SELECT (c.level, lower(c.spelling)) AS name
                FROM stage_ability AS c
                INNER JOIN stage_ability AS p ON c.row = p.row AND c.depth - 1 = p.depth
                GROUP BY c.level, lower(c.spelling)
                HAVING count(DISTINCT lower(p.spelling)) > 1
            )
        )
    )

-- name: abilities_under_two_parents
SELECT
    max(f.row) AS row, f.field, any_value(f.spelling) AS spelling,
    count(DISTINCT lower(u.spelling)) AS n_parents
FROM stage_ability AS f
INNER JOIN stage_ability AS u ON f.row = u.row AND f.depth - 1 = u.depth
GROUP BY f.field, lower(f.spelling)
HAVING count(DISTINCT lower(u.spelling)) > 1
ORDER BY 1
LIMIT 1

-- name: taxonomy_of_the_file
WITH named AS (
    SELECT depth, level, lower(spelling) AS folded, arg_min(spelling, row) AS name, min(row) AS row
    FROM stage_ability
    GROUP BY depth, level, lower(spelling)
)

SELECT n.level, n.name, any_value(p.name) AS parent
FROM named AS n
INNER JOIN stage_ability AS f ON n.level = f.level AND n.folded = lower(f.spelling)
LEFT JOIN stage_ability AS u ON f.row = u.row AND f.depth - 1 = u.depth
LEFT JOIN named AS p ON u.level = p.level AND lower(u.spelling) = p.folded
ANTI JOIN (
    SELECT a.level, lower(k.spelling) AS spelling
    FROM main.ability AS a
    INNER JOIN main.ability_spelling AS k ON a.ability_id = k.ability_id
    WHERE a.benchmark_id = $benchmark_id
) AS known ON n.level = known.level AND n.folded = known.spelling
GROUP BY n.depth, n.level, n.name, n.row
ORDER BY n.depth, n.row, n.name

-- name: levels_too_deep
SELECT row, field, level
FROM stage_ability
WHERE depth % 10 >= 4 OR lower(level) = 'overall'
ORDER BY row, depth
LIMIT 1

-- name: contradicted_abilities
SELECT s.row, s.field, s.spelling, b.question_key
FROM stage_filed AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question_ability AS q ON b.question_id = q.question_id
INNER JOIN main.ability AS known ON q.ability_id = known.ability_id
INNER JOIN main.ability AS staged ON s.ability_id = staged.ability_id
WHERE staged.level = known.level AND staged.ability_id <> known.ability_id
ORDER BY s.row
LIMIT 1
