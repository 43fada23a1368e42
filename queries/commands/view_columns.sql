-- The columns of the views and tables of some schemas, with their comments.
SELECT
    c.schema_name AS schema, c.table_name AS view, coalesce(v.comment, t.comment) AS what,
    c.column_name AS column, c.data_type AS type, coalesce(c.comment, '') AS comment
FROM duckdb_columns() AS c
LEFT JOIN duckdb_views() AS v
    ON c.database_oid = v.database_oid AND c.schema_name = v.schema_name AND c.table_name = v.view_name
LEFT JOIN duckdb_tables() AS t
    ON c.database_oid = t.database_oid AND c.schema_name = t.schema_name AND c.table_name = t.table_name
WHERE
    c.database_name = current_database()
    AND list_contains($schemas, c.schema_name)
    AND NOT c.internal
ORDER BY c.schema_name, c.table_name, c.column_index
