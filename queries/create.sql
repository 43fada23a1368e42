-- What a schema holds.

-- name: views_and_macros
SELECT 'VIEW', view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $schema
UNION
SELECT 'MACRO', function_name
FROM duckdb_functions()
WHERE database_name = current_database() AND schema_name = $schema;

-- name: columns
-- Of every database: what is not installed lies in one of its own.
SELECT
    schema_name,
    table_name,
    column_name
FROM duckdb_columns()
WHERE list_contains($schemas, schema_name)
