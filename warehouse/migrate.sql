-- Which migrations a file has been through.

-- name: create_schema_version
CREATE TABLE main.schema_version (
    version INTEGER NOT NULL, name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE main.schema_version IS 'The migrations this file has been through.';

-- name: n_tables
SELECT count(*), count(*) FILTER (table_name = 'schema_version' AND schema_name = 'main')
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary
