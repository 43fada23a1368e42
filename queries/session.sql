-- The release in use.

-- name: has_view
SELECT count(*)
FROM duckdb_views()
WHERE
    view_name = $name
    AND schema_name = current_schema()
    AND database_name = current_database()

-- name: schema_in_use
-- With whether its file is open to read alone; no row for a release that is not installed.
SELECT current_schema(), readonly
FROM duckdb_databases()
WHERE database_name = current_database() AND database_name <> $live
