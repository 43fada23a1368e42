-- What a file's catalog holds, queried while it is attached and not yet in use: every function is
-- the engine's own by its full name, so that no macro of the file answers in its place.

-- name: objects
-- All that can stand in the place of a table of ours, or act when one is read or written.
SELECT 'table' AS kind, schema_name, table_name AS name, sql AS detail
FROM system.main.duckdb_tables()
WHERE database_name = $catalog AND NOT internal
UNION ALL
SELECT 'view' AS kind, schema_name, view_name AS name, NULL AS detail
FROM system.main.duckdb_views()
WHERE database_name = $catalog AND schema_name = 'main' AND NOT internal
UNION ALL
SELECT 'sequence' AS kind, schema_name, sequence_name AS name, NULL AS detail
FROM system.main.duckdb_sequences()
WHERE database_name = $catalog AND schema_name = 'main'
UNION ALL
SELECT 'type' AS kind, schema_name, type_name AS name, NULL AS detail
FROM system.main.duckdb_types()
WHERE database_name = $catalog AND schema_name = 'main' AND NOT internal
UNION ALL
SELECT 'trigger' AS kind, schema_name, table_name AS name, trigger_name AS detail
FROM system.main.duckdb_triggers()
WHERE database_name = $catalog
UNION ALL
SELECT 'index' AS kind, schema_name, table_name AS name, index_name AS detail
FROM system.main.duckdb_indexes()
WHERE database_name = $catalog
UNION ALL
SELECT 'schema' AS kind, schema_name, schema_name AS name, NULL AS detail
FROM system.main.duckdb_schemas()
WHERE database_name = $catalog AND NOT internal

-- name: macros
-- The engine counts all of its own functions for this, which takes as long as all else together.
SELECT DISTINCT f.function_name
FROM system.main.duckdb_functions() AS f
WHERE f.database_name = $catalog AND f.schema_name = 'main' AND NOT f.internal

-- name: functions
SELECT DISTINCT lower(function_name)
FROM system.main.duckdb_functions()
WHERE database_name = 'system'

-- name: types
SELECT DISTINCT lower(type_name)
FROM system.main.duckdb_types()
WHERE database_name = 'system'

-- name: columns
SELECT column_name, data_type, is_nullable, column_default, generation_expression
FROM system.main.duckdb_columns()
WHERE database_name = $catalog AND schema_name = 'main' AND table_name = $table
ORDER BY column_index

-- name: tables
-- Each table as the engine would make it.
SELECT lower(table_name), sql
FROM system.main.duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main'
