-- The statements of a merge other than the maps of merge_maps.sql.

-- name: number
-- New rows get ids after those that are here.
CREATE OR REPLACE TEMP TABLE {merge_table} AS
WITH found AS (
{found}
)

SELECT
    * EXCLUDE (known_id),
    coalesce(
        known_id,
        (SELECT coalesce(max({id}), 0) FROM main.{table})
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: flags_with_runs
SELECT source_id, flags
FROM the_other.main.source
WHERE contains(flags, '"runs":')

-- name: runs_by_other_id
SELECT other_id, id
FROM merge_run

-- name: is_same_payer
SELECT h.warehouse_uuid = t.warehouse_uuid
FROM main.warehouse_identity AS h
CROSS JOIN the_other.main.warehouse_identity AS t

-- name: columns
SELECT column_name
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main' AND table_name = $table
ORDER BY column_index

-- name: columns_of_sources
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    database_name = current_database()
    AND schema_name = 'main'
    AND column_name IN ('source_id', 'superseded_by')
    AND table_name <> 'source'
    AND list_contains($tables, table_name)
ORDER BY ALL

-- name: forget_dropped_sources
DELETE FROM main.dataset_source
WHERE
    source_id IN (SELECT id FROM merge_source WHERE is_new)
    AND source_id NOT IN (SELECT source_id FROM main.source)

-- name: complete_questions
UPDATE main.question
SET text = o.text, source_id = s.id
FROM the_other.main.question AS o
INNER JOIN merge_question AS q ON o.question_id = q.other_id AND q.is_completed
INNER JOIN merge_source AS s ON o.source_id = s.other_id
WHERE question.question_id = q.id

-- name: forget_assumed_choices
DELETE FROM main.choice
USING merge_question AS q
WHERE q.is_completed AND choice.question_id = q.id AND choice.pass = 0

-- name: add_names_as_aliases
-- A model that is known here under another name keeps this one.
INSERT INTO main.model_alias
SELECT m.id, o.name, s.id
FROM the_other.main.model AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id AND NOT m.is_new
INNER JOIN merge_source AS s ON o.source_id = s.other_id
ANTI JOIN main.model AS h ON o.name = h.name
ANTI JOIN main.model_alias AS a ON o.name = a.alias

-- name: counts
SELECT
    (SELECT count(*) FROM merge_run WHERE is_new) AS new_runs,
    (SELECT count(*) FROM merge_run WHERE NOT is_new) AS same_runs,
    (SELECT count(*) FROM merge_question WHERE is_new) AS new_questions,
    (SELECT count(*) FROM merge_question WHERE NOT is_new) AS same_questions,
    (SELECT count(*) FROM merge_dataset WHERE is_new) AS new_datasets,
    (SELECT count(*) FROM merge_judgment WHERE is_new) AS new_judgments,
    (SELECT count(*) FROM merge_judgment WHERE NOT is_new) AS same_judgments,
    (SELECT count(*) FROM merge_source WHERE is_new) AS new_sources
