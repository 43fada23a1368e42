-- Making the tables of kept results; `{...}` is filled in.

-- name: rules
SELECT DISTINCT r.rule
FROM {runs} AS c
INNER JOIN main.dataset AS d ON c.dataset_id = d.dataset_id
INNER JOIN main.benchmark_rule AS r ON d.benchmark_id = r.benchmark_id
WHERE r.superseded_by IS NULL;

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
