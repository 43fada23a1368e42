-- name: definitions
-- Everything in the schemas of releases, and what it is. Nothing here reads through a view.
SELECT 'view' AS kind, schema_name, view_name AS name, sql AS definition
FROM duckdb_views()
WHERE database_name = current_database() AND list_contains($schemas, schema_name)
UNION ALL
SELECT 'table' AS kind, schema_name, table_name AS name, sql AS definition
FROM duckdb_tables()
WHERE database_name = current_database() AND list_contains($schemas, schema_name)
UNION ALL
SELECT
    'macro' AS kind, schema_name, function_name AS name,
    concat_ws(' ', parameters, macro_definition) AS definition
FROM duckdb_functions()
WHERE database_name = current_database() AND list_contains($schemas, schema_name)
