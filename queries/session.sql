-- The release in use.

-- name: has_view
SELECT count(*)
FROM duckdb_views()
WHERE
    view_name = $name
    AND schema_name = current_schema()
    AND database_name = current_database();

-- name: schemas
SELECT schema_name
FROM duckdb_schemas()
WHERE database_name = current_database() AND NOT internal AND schema_name <> 'main'
ORDER BY schema_name
