-- name: release
SELECT name
FROM main.release
WHERE name = $release OR ($release = 'latest' AND is_default);

-- name: texts
SELECT
    view_name,
    sql
FROM duckdb_views()
WHERE database_name = current_database() AND list_contains($schemas, schema_name);

-- name: all_fresh
SELECT
    count(*) = (SELECT count(*) FROM {internal}.kept_run)
    AND count(*) = (SELECT count(*) FROM {schema}.current_run)
    AND NOT EXISTS (SELECT 1 FROM {internal}.computed_live) AS is_fresh
FROM {internal}.fresh_run;
