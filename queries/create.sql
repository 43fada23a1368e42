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
SELECT schema_name, table_name, column_name, data_type
FROM duckdb_columns()
WHERE database_name = coalesce($database, current_database()) AND list_contains($schemas, schema_name)
ORDER BY schema_name, table_name, column_index
