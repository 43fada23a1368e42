-- Which rows of questions were loaded before, word for word.

-- name: prepare
CREATE OR REPLACE TEMP TABLE seen_question (dataset_id INTEGER, signature HUGEINT)

-- name: sign
-- The sum of what a row says: the order in which its choices were staged is not part of it.
CREATE OR REPLACE TEMP TABLE stage_signed AS
WITH said AS (
    SELECT row, split, hash($task, question_key, pass, text, answer, image) AS number
    FROM stage_question
    UNION ALL
    SELECT row, NULL, hash('choice', pass, label, ordinal, text)
    FROM stage_choice
    UNION ALL
    SELECT row, NULL, hash('reference', ordinal, text)
    FROM stage_reference
    UNION ALL
    SELECT row, NULL, hash('attribute', name, value)
    FROM stage_attribute
    UNION ALL
    SELECT row, NULL, hash('ability', depth, level, field, spelling)
    FROM stage_ability
    UNION ALL
    SELECT row, NULL, hash('component', field, component)
    FROM stage_component
)

SELECT max(split) AS split, sum(number) AS signature
FROM said
GROUP BY row

-- name: are_all_seen
SELECT
    NOT EXISTS (
        FROM stage_signed AS s
        ANTI JOIN seen_question AS k ON k.dataset_id = $dataset_id AND s.signature = k.signature
        WHERE s.split IS NOT DISTINCT FROM $split
    )

-- name: remember
INSERT INTO seen_question
SELECT $dataset_id, signature
FROM stage_signed
WHERE split IS NOT DISTINCT FROM $split

-- name: forget
DELETE FROM seen_question
WHERE dataset_id = $dataset_id
