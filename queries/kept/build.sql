-- Making the tables of kept results; `{...}` is filled in.

-- name: rules
SELECT DISTINCT r.rule
FROM {runs} AS c
INNER JOIN main.dataset AS d ON c.dataset_id = d.dataset_id
INNER JOIN main.benchmark_rule AS r ON d.benchmark_id = r.benchmark_id
WHERE r.superseded_by IS NULL
UNION
-- Of a question in words among questions of choice (see question_rule).
SELECT 'extracted' AS rule
FROM {runs} AS c
INNER JOIN main.question AS q ON c.dataset_id = q.dataset_id
INNER JOIN main.reference_answer AS a ON q.question_id = a.question_id
WHERE c.task = 'choice';

-- name: columns
SELECT
    table_name,
    column_name,
    data_type
FROM duckdb_columns()
WHERE database_name = current_database() AND list_contains($schemas, schema_name) AND list_contains($views, table_name)
ORDER BY column_index;

-- name: keep_stale_runs
CREATE OR REPLACE TEMP TABLE {table} AS
SELECT r.*
FROM "{release}".{runs} AS r
WHERE r.run_id IN (SELECT run_id FROM stale_run);
