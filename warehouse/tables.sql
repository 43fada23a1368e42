-- A part of each check of `tables.toml`, for one table, column or list of words.

-- name: referring_columns
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    database_name = current_database()
    AND schema_name = 'main'
    AND NOT internal
    AND list_contains($tables, table_name)
    AND list_contains($columns, column_name)
ORDER BY table_oid, column_index

-- name: duplicate_ids
SELECT '{table}' AS table_name, CAST({id} AS VARCHAR) AS key, count(*) AS n
FROM main.{table}
GROUP BY {id}
HAVING count(*) > 1

-- name: duplicate_keys
SELECT '{table}' AS table_name, CAST(row({columns}) AS VARCHAR) AS key, count(*) AS n
FROM main.{table}
WHERE {keyed}
GROUP BY {columns}
HAVING count(*) > 1

-- name: dangling_references
SELECT DISTINCT
    '{table}' AS table_name, '{column}' AS column_name, CAST(t.{column} AS VARCHAR) AS value
FROM main.{table} AS t
ANTI JOIN {other} AS r ON t.{column} = r.{id}
WHERE t.{column} IS NOT NULL AND {referring}

-- name: unknown_words
SELECT DISTINCT '{table}.{column}' AS place, {column} AS word
FROM main.{table}
WHERE {column} NOT IN ({words})

-- name: reserved_words
SELECT DISTINCT '{table}.{column}' AS place, {column} AS word
FROM main.{table}
WHERE lower({column}) IN ({words})
