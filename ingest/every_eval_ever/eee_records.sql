-- From the records of Every Eval Ever to staged rows. `stage_eee` has a row per record.

-- name: collect
CREATE OR REPLACE TEMP TABLE stage_eee AS
SELECT
    __row AS row, trim(evaluation_id) AS evaluation_id, trim(model_id) AS model_id,
    coalesce(nullif(evaluation_result_id, ''), evaluation_name, '') AS result_id,
    trim(sample_id) AS sample_id, interaction_type, try(CAST(input AS JSON)) AS input,
    try(CAST(output AS JSON)) AS output, try(CAST(messages AS JSON)) AS messages,
    nullif(trim(error), '') AS error, try(CAST(metadata AS JSON)) AS metadata,
    try(CAST(evaluation AS JSON)) AS evaluation,
    try(CAST(answer_attribution AS JSON)) AS attribution
FROM (SELECT __row, {cells} FROM raw)

-- name: keep_variant
DELETE FROM stage_eee
WHERE
    EXISTS (SELECT 1 FROM stage_eee AS e WHERE e.result_id = $run)
    AND result_id <> $run

-- name: number
-- The question, pass and sample of each record. Where questions have passes, ids count them in
-- millions.
CREATE OR REPLACE TEMP TABLE stage_numbered AS
WITH said AS (
    SELECT
        *,
        CASE
            WHEN $is_circular AND regexp_full_match(sample_id, '[0-9]{1,9}')
                THEN CAST(sample_id AS INTEGER)
        END AS number,
        CAST(metadata ->> '$.evalhouse_pass' AS INTEGER) AS own_pass,
        coalesce(
            CAST(metadata ->> '$.evalhouse_sample' AS INTEGER),
            CAST(metadata ->> '$.epoch' AS INTEGER)
            - min(CAST(metadata ->> '$.epoch' AS INTEGER)) OVER (), 0
        ) AS repetition,
        metadata ->> '$.evalhouse_state' AS state,
        CASE
            WHEN interaction_type = 'single_turn'
                THEN from_json(json_extract(output, '$.raw'), '["VARCHAR"]')
            ELSE list_transform(
                list_filter(
                    from_json(messages, '[{"role": "VARCHAR", "content": "VARCHAR"}]'),
                    lambda one: one.role = 'assistant' AND one.content IS NOT NULL
                )[-1:],
                lambda one: one.content
            )
        END AS texts
    FROM stage_eee
)

SELECT
    row, coalesce(CAST(number % 1000000 AS VARCHAR), sample_id) AS question_key,
    coalesce(own_pass, number // 1000000, 0) AS pass, repetition, result_id, texts, state, error,
    input, metadata, evaluation, attribution
FROM said

-- name: keep_one_a_metric
CREATE OR REPLACE TEMP TABLE stage_kept AS
SELECT * EXCLUDE (kept)
FROM (
    SELECT
        *,
        first_value(result_id) OVER (
            PARTITION BY question_key, pass, repetition
            ORDER BY row
        ) AS kept
    FROM stage_numbered
)
WHERE result_id = kept

-- name: count_metrics
SELECT (SELECT count(*) FROM stage_numbered) AS n_records, (SELECT count(*) FROM stage_kept) AS n_kept

-- name: count_with_choices
SELECT count(*) FILTER (WHERE json_array_length(input, '$.choices') > 0) AS n
FROM stage_kept

-- name: read_choices
-- The right choice is what evalhouse says, or the reference: a choice's text, its letter, or its
-- number from 0.
CREATE OR REPLACE TEMP TABLE stage_choosable AS
WITH kept AS (
    SELECT
        row, from_json(json_extract(input, '$.choices'), '["VARCHAR"]') AS texts,
        from_json(json_extract(input, '$.reference'), '["VARCHAR"]') AS refs,
        from_json(CAST(metadata ->> '$.evalhouse_labels' AS JSON), '["VARCHAR"]') AS labels,
        from_json(CAST(metadata ->> '$.evalhouse_ordinals' AS JSON), '["INTEGER"]') AS ordinals,
        metadata ->> '$.evalhouse_pass' IS NOT NULL AS is_own,
        metadata ->> '$.evalhouse_answer' AS own_answer
    FROM stage_kept
),

labelled AS (
    SELECT
        * EXCLUDE (labels, ordinals),
        CASE
            WHEN len(ordinals) = len(texts) AND len(labels) = len(texts) THEN ordinals
            ELSE range(len(texts))
        END AS ordinals,
        CASE
            WHEN
                len(labels) = len(texts)
                AND len(list_filter(labels, lambda one: NOT regexp_full_match(one, '[A-Z]'))) = 0
                THEN labels
            ELSE list_transform(range(len(texts)), lambda n: chr(CAST(65 + n AS INTEGER)))
        END AS labels,
        CASE WHEN len(refs) = 1 THEN refs[1] END AS ref
    FROM kept
)

SELECT
    row, texts, labels, ordinals, refs,
    CASE
        WHEN is_own THEN own_answer
        WHEN len(list_filter(texts, lambda one: one = ref)) = 1
            THEN labels[list_position(texts, ref)]
        WHEN list_contains(labels, trim(ref)) THEN trim(ref)
        WHEN regexp_full_match(ref, '[0-9]{1,2}') THEN labels[CAST(ref AS INTEGER) + 1]
    END AS answer,
    is_own OR len(refs) = 0 AS may_be_hidden
FROM labelled

-- name: stage_choices
INSERT INTO stage_choice
SELECT k.row, NULL, k.question_key, k.pass, c.labels[n.place], c.ordinals[n.place], c.texts[n.place]
FROM stage_kept AS k
INNER JOIN stage_choosable AS c ON k.row = c.row
INNER JOIN stage_question AS q ON k.row = q.row,
    unnest(range(1, len(c.texts) + 1)) AS n (place)

-- name: read_no_choices
CREATE OR REPLACE TEMP TABLE stage_choosable (row BIGINT, answer VARCHAR)

-- name: stage_questions
INSERT INTO stage_question
SELECT
    k.row, NULL, k.question_key, k.pass, nullif(k.input ->> '$.raw', ''),
    CASE WHEN NOT $is_open THEN c.answer END,
    array_to_string(
        from_json(
            json_extract(CAST(k.metadata ->> '$.evalhouse_question' AS JSON), '$.images'), '["VARCHAR"]'
        ),
        ' '
    )
FROM stage_kept AS k
LEFT JOIN stage_choosable AS c ON k.row = c.row
QUALIFY row_number() OVER (PARTITION BY k.question_key, k.pass ORDER BY k.row) = 1

-- name: stage_references
INSERT INTO stage_reference
SELECT k.row, NULL, k.question_key, n.place - 1, k.texts[n.place]
FROM (
    SELECT row, question_key, from_json(json_extract(input, '$.reference'), '["VARCHAR"]') AS texts
    FROM stage_kept
) AS k
INNER JOIN stage_question AS q ON k.row = q.row,
    unnest(range(1, len(k.texts) + 1)) AS n (place)
WHERE nullif(trim(k.texts[n.place]), '') IS NOT NULL

-- name: read_facts
CREATE OR REPLACE TEMP TABLE stage_fact AS
SELECT row, question_key, CAST(metadata ->> '$.evalhouse_question' AS JSON) AS fact
FROM stage_kept
WHERE metadata ->> '$.evalhouse_question' IS NOT NULL

-- name: stage_abilities
INSERT INTO stage_ability
SELECT
    b.row, NULL, b.question_key, n.place - 1, b.branch[n.place][1], 'metadata.evalhouse_question',
    b.branch[n.place][2]
FROM (
    SELECT
        row, question_key,
        unnest(from_json(json_extract(fact, '$.abilities'), '[[["VARCHAR"]]]')) AS branch
    FROM stage_fact
) AS b,
    unnest(range(1, len(b.branch) + 1)) AS n (place)
WHERE b.branch[n.place][2] IS NOT NULL

-- name: stage_attributes
INSERT INTO stage_attribute
SELECT row, NULL, question_key, pair[1], pair[2]
FROM (
    SELECT
        row, question_key,
        unnest(from_json(json_extract(fact, '$.attributes'), '[["VARCHAR"]]')) AS pair
    FROM stage_fact
)
WHERE pair[1] IS NOT NULL AND pair[2] IS NOT NULL

-- name: stage_components
INSERT INTO stage_component
SELECT
    row, NULL, question_key, 'metadata.evalhouse_question',
    unnest(from_json(json_extract(fact, '$.components'), '["VARCHAR"]'))
FROM stage_fact

-- name: stage_predictions
INSERT INTO stage_prediction
SELECT
    row, $model, NULL, question_key, pass, repetition * most + place - 1, text,
    coalesce(state = 'failed', FALSE)
    OR (NOT is_own AND error IS NOT NULL AND nullif(trim(text), '') IS NULL)
FROM (
    SELECT
        k.* EXCLUDE (texts), n.place, k.texts[n.place] AS text,
        k.metadata ->> '$.evalhouse_pass' IS NOT NULL AS is_own,
        (SELECT greatest(max(len(texts)), 1) FROM stage_kept) AS most
    FROM stage_kept AS k,
        unnest(range(1, greatest(coalesce(len(k.texts), 0), 1) + 1)) AS n (place)
    WHERE k.state IS DISTINCT FROM 'missing'
)

-- name: read_scores
CREATE OR REPLACE TEMP TABLE stage_score_fields AS
SELECT
    row, question_key, pass, repetition,
    unnest(
        from_json(CAST(metadata ->> '$.evalhouse_scores' AS JSON), '[["VARCHAR"]]')
    ) AS fields
FROM stage_kept

-- name: stage_scores
INSERT INTO stage_score
SELECT
    row, $model, NULL, question_key, pass, repetition, fields[1], fields[2],
    CAST(fields[3] AS DOUBLE), TRY_CAST(fields[4] AS INTEGER), fields[5]
FROM stage_score_fields

-- name: stage_harness_scores
-- What the harness made of each answer, by metric, and what it read in it last. Several texts of a
-- record have one score, which is of the first of them. An answer that ended in an error has none.
-- Where the records of Inspect's epochs have one score for each question, that is the mean of its
-- epochs.
INSERT INTO stage_harness_score
WITH scored AS (
    SELECT *, evaluation ->> '$.score' AS value
    FROM stage_numbered
    WHERE
        evaluation ->> '$.score' IS NOT NULL
        AND result_id <> ''
        AND state IS DISTINCT FROM 'missing'
        AND error IS NULL
),

of_epochs AS (
    SELECT result_id, max(n_epochs) AS n_epochs
    FROM (
        SELECT result_id, count(DISTINCT repetition) AS n_epochs, count(DISTINCT value) AS n_values
        FROM scored
        GROUP BY result_id, question_key, pass
    )
    GROUP BY result_id
    HAVING $is_inspect AND max(n_epochs) > 1 AND max(n_values) = 1
)

SELECT
    s.row, $model, NULL, s.question_key, s.pass,
    s.repetition * (SELECT greatest(max(len(texts)), 1) FROM stage_kept), s.result_id,
    'mean of ' || e.n_epochs || ' epochs', s.value, TRY_CAST(s.value AS DOUBLE),
    s.attribution ->> '$[#-1].extracted_value'
FROM scored AS s
LEFT JOIN of_epochs AS e ON s.result_id = e.result_id
