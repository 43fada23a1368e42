-- The views of some schemas and the tables of facts, with their comments.
SELECT schema_name AS schema, view_name AS name, comment
FROM duckdb_views()
WHERE
    list_contains($schemas, schema_name)
    AND NOT internal
UNION ALL
SELECT schema_name AS schema, table_name AS name, comment
FROM duckdb_tables()
WHERE
    schema_name = 'main'
    AND NOT internal
    AND NOT temporary
ORDER BY schema, name
