-- name: release
SELECT name
FROM main.release
WHERE name = $release OR ($release = 'latest' AND is_default);

-- name: texts
SELECT
    view_name,
    sql
FROM duckdb_views()
WHERE database_name = current_database() AND schema_name = $schema;

-- name: all_fresh
SELECT
    count(*) = (SELECT count(*) FROM {schema}.kept_run)
    AND count(*) = (SELECT count(*) FROM {schema}.current_run)
    AND NOT EXISTS (SELECT 1 FROM {schema}.computed_live) AS is_fresh
FROM {schema}.fresh_run;
