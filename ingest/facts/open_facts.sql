-- Open questions: references, capabilities and their combinations.

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
