-- Rows with an `index`.

-- name: read_index
CREATE OR REPLACE TEMP TABLE stage_index AS
SELECT
    __number, CAST(__number % {step} AS VARCHAR) AS __key,
    CAST(__number // {step} AS INTEGER) AS __pass, * EXCLUDE (__number)
FROM (SELECT {number} AS __number, * FROM raw)

-- name: with_image_of_row
-- An image may be the index of the row that has it.
LEFT JOIN (
    SELECT __number, arg_min(image, __row) AS image
    FROM stage_index
    GROUP BY __number
) AS j ON TRY_CAST(r.image AS BIGINT) = j.__number

-- name: references
-- What stands after FROM for each answer that a cell lists, or for its text.
stage_index AS r
LEFT JOIN stage_listed_reference AS l ON {written} = l.cell
WHERE {is_open} AND (l.cell IS NULL OR l.item IS NOT NULL)

-- name: unknown_choices
INSERT INTO stage_choice BY NAME
WITH known AS (
    SELECT row, max(ordinal) AS last
    FROM stage_choice
    GROUP BY row
),

placed AS (
    SELECT
        r.__row AS row, {split} AS split, r.__key AS question_key, r.__pass AS pass,
        greatest(k.last, list_position([{labels}], {answer}) - 1, 1) AS last,
        unnest([{labels}]) AS label
    FROM stage_index AS r
    INNER JOIN known AS k ON r.__row = k.row
)

SELECT p.* EXCLUDE (last), list_position([{labels}], p.label) - 1 AS ordinal, '' AS text
FROM placed AS p
ANTI JOIN stage_choice AS c ON p.row = c.row AND p.label = c.label
WHERE list_position([{labels}], p.label) - 1 <= p.last
