-- What question files said of questions that changed: former texts, choices, keys, references,
-- abilities, attributes and images, with those that hold, and when a question was dropped. One row
-- per value.
-- @fact text, choice, answer, reference, ability, attribute, image; or dropped, from when on the
--   question did not count.
-- @pass Of a choice or answer; NULL: of the question.
-- @name The label of a choice, the name of an attribute, the level of an ability; NULL: none.
-- @value What it said; NULL: dropped.
-- @state holds or superseded; a question that is dropped now has a row dropped that holds.
-- @said_by The file that said it.
-- @said_at When that was read, UTC.
-- @replaced_by The file that says otherwise, or that has a dropped question again; NULL: it holds.
-- @replaced_at When that was read, UTC; NULL: it holds.
WITH named AS (
    SELECT question_id, dataset_id, question_key
    FROM main.question
    UNION
    SELECT question_id, dataset_id, question_key
    FROM main.dropped_question
),

former AS (
    SELECT question_id, fact, pass, name, value, ability_id, source_id, superseded_by
    FROM main.superseded_fact
    UNION ALL
    SELECT
        question_id, 'answer' AS fact, pass, CAST(NULL AS VARCHAR) AS name, label AS value,
        CAST(NULL AS INTEGER) AS ability_id, source_id, superseded_by
    FROM main.answer
    WHERE superseded_by IS NOT NULL
),

changed AS (
    SELECT DISTINCT question_id, fact
    FROM former
),

holding AS (
    SELECT
        question_id, 'text' AS fact, CAST(NULL AS SMALLINT) AS pass, CAST(NULL AS VARCHAR) AS name,
        text AS value, CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.question
    UNION ALL
    SELECT
        question_id, 'choice' AS fact, pass, label AS name, text AS value,
        CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.choice
    UNION ALL
    SELECT
        question_id, 'answer' AS fact, pass, CAST(NULL AS VARCHAR) AS name, label AS value,
        CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.answer
    WHERE superseded_by IS NULL
    UNION ALL
    SELECT
        question_id, 'reference' AS fact, CAST(NULL AS SMALLINT) AS pass,
        CAST(NULL AS VARCHAR) AS name, text AS value, CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.reference_answer
    UNION ALL
    SELECT
        question_id, 'ability' AS fact, CAST(NULL AS SMALLINT) AS pass,
        CAST(NULL AS VARCHAR) AS name, CAST(NULL AS VARCHAR) AS value, ability_id, source_id
    FROM main.question_ability
    UNION ALL
    SELECT
        question_id, 'attribute' AS fact, CAST(NULL AS SMALLINT) AS pass, name, value,
        CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.question_attribute
    UNION ALL
    SELECT
        question_id, 'image' AS fact, CAST(NULL AS SMALLINT) AS pass, CAST(NULL AS VARCHAR) AS name,
        sha256 AS value, CAST(NULL AS INTEGER) AS ability_id, source_id
    FROM main.question_image
),

every AS (
    SELECT *
    FROM former
    UNION ALL
    SELECT h.*, CAST(NULL AS INTEGER) AS superseded_by
    FROM holding AS h
    INNER JOIN changed AS c USING (question_id, fact)
    UNION ALL
    SELECT
        question_id, 'dropped' AS fact, CAST(NULL AS SMALLINT) AS pass,
        CAST(NULL AS VARCHAR) AS name, CAST(NULL AS VARCHAR) AS value,
        CAST(NULL AS INTEGER) AS ability_id, dropped_by AS source_id, restored_by AS superseded_by
    FROM main.dropped_question
)

SELECT
    d.dataset_id, d.name AS dataset, e.question_id, n.question_key, e.fact, e.pass,
    coalesce(a.level, e.name) AS name, coalesce(a.name, e.value) AS value,
    CASE WHEN e.superseded_by IS NULL THEN 'holds' ELSE 'superseded' END AS state,
    s.path AS said_by, s.ingested_at AS said_at, t.path AS replaced_by, t.ingested_at AS replaced_at
FROM every AS e
INNER JOIN named AS n USING (question_id)
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.source AS s ON e.source_id = s.source_id
LEFT JOIN main.source AS t ON e.superseded_by = t.source_id
LEFT JOIN main.ability AS a USING (ability_id)
