-- From the samples of an Inspect log to staged rows. `raw` is what inspect_rows makes of them.

-- name: find_places
-- Several epochs put the same question; its first row stands for it. $step is 0 where ids have no
-- pass. Texts stay in `raw`, so that they are not held twice.
CREATE OR REPLACE TEMP TABLE stage_place_of_sample AS
SELECT
    *,
    row_number() OVER (PARTITION BY split, question_key, pass ORDER BY sample, row) = 1 AS is_first,
    row_number() OVER (PARTITION BY split, question_key ORDER BY pass, sample, row) = 1 AS is_base
FROM (
    SELECT
        __row AS row, epoch - 1 AS sample,
        CASE WHEN (SELECT count(*) = count(split) FROM raw) THEN split END AS split,
        CASE
            WHEN $step > 0 THEN CAST(CAST(id AS HUGEINT) % $step AS VARCHAR) ELSE id
        END AS question_key,
        CASE WHEN $step > 0 THEN CAST(CAST(id AS HUGEINT) // $step AS BIGINT) ELSE 0 END AS pass
    FROM raw
)

-- name: join_places
CREATE OR REPLACE TEMP VIEW stage_sample AS
SELECT
    p.*, from_json(r.choices, '["VARCHAR"]') AS choices,
    from_json(r.target, '["VARCHAR"]') AS target,
    r.* EXCLUDE (__row, id, epoch, split, choices, target)
FROM stage_place_of_sample AS p
INNER JOIN raw AS r ON p.row = r.__row

-- name: mixed_questions
SELECT min(row) AS row
FROM (
    SELECT __row AS row, choices IS NULL AS is_open, first_value(choices IS NULL) OVER (ORDER BY __row) AS first
    FROM raw
)
WHERE is_open <> first
HAVING min(row) IS NOT NULL

-- name: passes_out_of_range
SELECT row, question_key, pass
FROM stage_sample
WHERE pass > 32767
ORDER BY row
LIMIT 1

-- name: models
SELECT answered_by, min(__row) AS row
FROM raw
WHERE nullif(trim(answered_by), '') IS NOT NULL
GROUP BY answered_by
ORDER BY row

-- name: stage_questions
INSERT INTO stage_question
-- The right label may be given as its choice's text; several right ones are no label.
SELECT
    row, split, question_key, pass, question,
    CASE
        WHEN choices IS NULL OR len(target) <> 1 THEN NULL
        WHEN written <> '' AND contains(labels, upper(written)) AND len(written) = 1 THEN upper(written)
        ELSE coalesce(nullif(labels[list_position(choices, target[1])], ''), nullif(written, ''))
    END,
    image_sha256
FROM (
    SELECT
        *, trim(target[1]) AS written,
        substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1, len(choices)) AS labels
    FROM stage_sample
    WHERE is_first
)

-- name: stage_choices
INSERT INTO stage_choice
SELECT row, split, question_key, pass, chr(64 + CAST(least(place, 99) AS INTEGER)), place - 1, choices[place]
FROM stage_sample, unnest(range(1, len(choices) + 1)) AS places(place)
WHERE is_first

-- name: stage_references
INSERT INTO stage_reference
SELECT row, split, question_key, place - 1, target[place]
FROM stage_sample, unnest(range(1, len(target) + 1)) AS places(place)
WHERE is_first AND trim(target[place]) <> ''

-- name: stage_predictions
-- An answer that came before the error is one.
INSERT INTO stage_prediction
SELECT
    row, $model, split, question_key, pass, sample, prediction,
    error IS NOT NULL AND coalesce(prediction, '') = ''
FROM stage_sample

-- name: stage_errors
INSERT INTO stage_error
SELECT row, error
FROM stage_sample
WHERE error IS NOT NULL

-- name: find_metadata
CREATE OR REPLACE TEMP TABLE stage_metadata AS
SELECT row, split, question_key, m.name AS name, m.value AS value
FROM (
    SELECT
        row, split, question_key,
        unnest(from_json(metadata, '[{"name":"VARCHAR","value":"VARCHAR"}]')) AS m
    FROM stage_sample
    WHERE is_base
)
WHERE trim(m.value) <> ''

-- name: is_tree
-- Whether each category stands under one other.
SELECT coalesce(max(n), 1) = 1
FROM (
    SELECT count(DISTINCT lower(u.value)) AS n
    FROM stage_metadata AS f
    INNER JOIN stage_metadata AS u ON f.row = u.row AND u.name = 'l2-category'
    WHERE f.name = 'category'
    GROUP BY lower(f.value)
)

-- name: stage_ability
INSERT INTO stage_ability
SELECT row, split, question_key, $depth, $level, name, value
FROM stage_metadata
WHERE name = $name

-- name: stage_attributes
INSERT INTO stage_attribute
SELECT row, split, question_key, name, value
FROM stage_metadata
WHERE NOT list_contains($filed, name)

-- name: counts
SELECT
    count(*) AS n,
    count(*) FILTER (error IS NOT NULL AND coalesce(prediction, '') = '') AS n_failed,
    count(error) AS n_errors, count(*) FILTER (is_first AND len(target) > 1) AS n_several,
    count(*) FILTER (is_first AND len(list_filter(target, lambda one: trim(one) <> '')) = 0)
        AS n_hidden
FROM stage_sample
