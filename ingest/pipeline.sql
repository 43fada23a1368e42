-- What reading a file leaves in a connection.

-- name: made
-- Every temporary view and table, with its number of rows.
SELECT view_name, 0, true
FROM duckdb_views()
WHERE temporary AND NOT internal
UNION ALL
SELECT table_name, estimated_size, false
FROM duckdb_tables()
WHERE temporary AND NOT internal
