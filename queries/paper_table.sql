-- The tables and figures of the papers.

-- name: comments_of_view
SELECT schema_name, comment
FROM duckdb_views()
WHERE
    database_name = $catalog
    AND list_contains($schemas, schema_name)
    AND view_name = $name
