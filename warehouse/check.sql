-- Queries of `check` on the catalog; its checks of rows lie in checks/ and tables.toml.

-- name: columns
-- Every table and its columns; what is computed when it is read is nothing that can be damaged.
SELECT schema_name, table_name, list(column_name ORDER BY column_index) AS columns
FROM duckdb_columns()
INNER JOIN duckdb_tables() AS t USING (database_name, schema_name, table_name)
WHERE database_name = current_database() AND NOT t.temporary AND NOT coalesce(is_generated, FALSE)
GROUP BY schema_name, table_name
ORDER BY schema_name, table_name

-- name: own_objects
SELECT 'main.' || table_name AS name
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT list_contains($ours, table_name)
UNION ALL
SELECT 'main.' || view_name AS name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
UNION
SELECT 'main.' || function_name AS name
FROM duckdb_functions()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
UNION ALL
SELECT 'main.' || type_name AS name
FROM duckdb_types()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
UNION ALL
SELECT 'main.' || sequence_name AS name
FROM duckdb_sequences()
WHERE database_name = current_database() AND schema_name = 'main'
ORDER BY name
