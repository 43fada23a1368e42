-- What was made of a release on a connection.

-- name: tables_and_views
SELECT table_name
FROM duckdb_tables()
WHERE database_name = $catalog AND schema_name = $schema
UNION
SELECT view_name
FROM duckdb_views()
WHERE database_name = $catalog AND schema_name = $schema
