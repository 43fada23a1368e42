-- What is refused of the records of Every Eval Ever: the first row of each is named.

-- name: ids_that_are_empty
SELECT row
FROM stage_eee
WHERE nullif(sample_id, '') IS NULL
ORDER BY row
LIMIT 1

-- name: foreign_evaluations
SELECT row, evaluation_id
FROM stage_eee
WHERE evaluation_id IS DISTINCT FROM $evaluation_id
ORDER BY row
LIMIT 1

-- name: foreign_models
SELECT row, model_id
FROM stage_eee
WHERE model_id IS DISTINCT FROM $model
ORDER BY row
LIMIT 1

-- name: inputs_without_text
SELECT row
FROM stage_eee
WHERE coalesce(json_type(input, '$.raw'), '') <> 'VARCHAR'
ORDER BY row
LIMIT 1

-- name: references_that_are_no_texts
SELECT row
FROM stage_eee
WHERE
    coalesce(json_type(input, '$.reference'), '') <> 'ARRAY'
    OR len(list_filter(json_extract(input, '$.reference[*]'), lambda one: json_type(one) <> 'VARCHAR')) > 0
ORDER BY row
LIMIT 1

-- name: choices_that_are_no_texts
SELECT row
FROM stage_eee
WHERE
    coalesce(json_type(input, '$.choices'), 'NULL') NOT IN ('NULL', 'ARRAY')
    OR len(list_filter(json_extract(input, '$.choices[*]'), lambda one: json_type(one) <> 'VARCHAR')) > 0
ORDER BY row
LIMIT 1

-- name: unknown_interactions
SELECT row, interaction_type
FROM stage_eee
WHERE coalesce(interaction_type, '') NOT IN ('single_turn', 'multi_turn', 'agentic')
ORDER BY row
LIMIT 1

-- name: outputs_that_are_no_texts
SELECT row
FROM stage_eee
WHERE
    interaction_type = 'single_turn'
    AND (
        coalesce(json_type(output, '$.raw'), '') <> 'ARRAY'
        OR len(list_filter(json_extract(output, '$.raw[*]'), lambda one: json_type(one) <> 'VARCHAR')) > 0
    )
ORDER BY row
LIMIT 1

-- name: talks_without_messages
SELECT row
FROM stage_eee
WHERE interaction_type <> 'single_turn' AND coalesce(json_type(messages), '') <> 'ARRAY'
ORDER BY row
LIMIT 1

-- name: numbers_that_are_none
-- What a record says of itself in numbers.
WITH numbers AS (
    SELECT row, 'metadata.evalhouse_pass' AS field, metadata ->> '$.evalhouse_pass' AS written
    FROM stage_eee
    UNION ALL
    SELECT row, 'metadata.evalhouse_sample', metadata ->> '$.evalhouse_sample'
    FROM stage_eee
    UNION ALL
    SELECT row, 'metadata.epoch', metadata ->> '$.epoch'
    FROM stage_eee
)

SELECT row, field, written
FROM numbers
WHERE written IS NOT NULL AND NOT regexp_full_match(written, '[0-9]{1,4}')
ORDER BY row
LIMIT 1

-- name: details_that_are_no_json
WITH details AS (
    SELECT row, unnest(['labels', 'ordinals', 'scores', 'question']) AS name, metadata
    FROM stage_eee
)

SELECT row, 'metadata.evalhouse_' || name AS field
FROM details
WHERE NOT coalesce(json_valid(json_extract_string(metadata, '$.evalhouse_' || name)), TRUE)
ORDER BY row
LIMIT 1

-- name: variants
SELECT s.row, s.question_key, s.result_id, f.result_id AS other
FROM stage_numbered AS s
INNER JOIN (
    SELECT
        question_key, pass, repetition, arg_min(result_id, row) AS result_id,
        arg_min(texts, row) AS texts
    FROM stage_numbered
    GROUP BY question_key, pass, repetition
) AS f
    ON s.question_key = f.question_key AND s.pass = f.pass AND s.repetition = f.repetition
WHERE s.result_id <> f.result_id AND s.texts IS DISTINCT FROM f.texts
ORDER BY s.row
LIMIT 1

-- name: records_without_choices
SELECT row
FROM stage_kept
WHERE coalesce(json_array_length(input, '$.choices'), 0) = 0
ORDER BY row
LIMIT 1

-- name: references_that_are_no_choice
SELECT row, array_to_string(refs, ', ') AS refs
FROM stage_choosable
WHERE answer IS NULL AND NOT may_be_hidden
ORDER BY row
LIMIT 1

-- name: scores_that_are_none
SELECT row, fields
FROM stage_score_fields
WHERE
    len(fields) <> 5
    OR TRY_CAST(fields[3] AS DOUBLE) IS NULL
    OR fields[1] IS NULL
    OR fields[2] IS NULL
ORDER BY row
LIMIT 1
