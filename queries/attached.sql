-- What was made of a release on a connection.

-- name: tables_and_views
SELECT table_name
FROM duckdb_tables()
WHERE database_name = $catalog AND schema_name = $schema
UNION
SELECT view_name
FROM duckdb_views()
WHERE database_name = $catalog AND schema_name = $schema;

-- name: both
-- What was computed, and what the file has of other runs.
CREATE VIEW {target} AS
SELECT {columns} FROM {rows}
UNION ALL
SELECT {columns} FROM {there} WHERE run_id NOT IN ({among})
