-- What is installed.

-- name: views
-- With the results that nobody queries, which are tables.
SELECT view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $schema
UNION ALL
SELECT table_name
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = $schema
