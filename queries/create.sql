-- What a schema holds.

-- name: views_and_macros
SELECT 'VIEW', view_name
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $schema
UNION
SELECT 'MACRO', function_name
FROM duckdb_functions()
WHERE database_name = current_database() AND schema_name = $schema;

-- name: others
-- What the engine drops with these schemas, of schemas that are no release's.
WITH made AS (
    SELECT view_oid AS oid, schema_name, view_name AS name
    FROM duckdb_views()
    WHERE database_name = current_database() AND NOT internal
    UNION ALL
    SELECT function_oid, schema_name, function_name
    FROM duckdb_functions()
    WHERE database_name = current_database() AND NOT internal
    UNION ALL
    SELECT table_oid, schema_name, table_name
    FROM duckdb_tables()
    WHERE database_name = current_database() AND NOT internal
),

ours AS (
    SELECT unnest(['latest', name, name || '_internal']) AS name
    FROM main.release
)

SELECT DISTINCT o.schema_name || '.' || o.name AS name
FROM duckdb_dependencies() AS d
INNER JOIN made AS m ON d.objid = m.oid
INNER JOIN made AS o ON d.refobjid = o.oid
WHERE
    list_contains($schemas, m.schema_name)
    AND NOT list_contains($schemas, o.schema_name)
    AND o.schema_name NOT IN (SELECT name FROM ours)
ORDER BY name;

-- name: columns
SELECT schema_name, table_name, column_name, data_type
FROM duckdb_columns()
WHERE database_name = coalesce($database, current_database()) AND list_contains($schemas, schema_name)
ORDER BY schema_name, table_name, column_index
