-- What is installed.

-- name: internal
-- Views, and results that nobody queries, which are tables; the table of another result lies under
-- a view of its name.
SELECT view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $internal
UNION ALL
SELECT table_name
FROM duckdb_tables()
WHERE
    database_name = current_database()
    AND schema_name = $internal
    AND table_name NOT IN (
        SELECT view_name
        FROM duckdb_views()
        WHERE database_name = current_database() AND schema_name = $schema
    )
