-- What is installed.

-- name: views
SELECT view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $schema
