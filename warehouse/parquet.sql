-- What the folder of an export holds, and the hashes that verify it.

-- name: columns
-- Every column of the facts. Which views are installed is no fact: an import installs its own.
SELECT table_name, column_name, data_type
FROM duckdb_columns()
WHERE
    schema_name = 'main'
    AND database_name = $catalog
    AND NOT internal
    AND list_contains($ours, table_name)
    AND table_name NOT IN ('release', 'release_object')
ORDER BY table_name, column_index

-- name: content
-- Sums of two halves of each row's hash: the same in any order, another one if a row is there
-- twice.
SELECT
    count(*) AS n_rows, coalesce(sum(md5_number_upper(encoded)), 0) AS upper_sum,
    coalesce(sum(md5_number_lower(encoded)), 0) AS lower_sum
FROM (SELECT {row} AS encoded FROM main.{table})

-- name: groups
SELECT DISTINCT {key} // {size} AS part
FROM main.{table}
ORDER BY part

-- name: write
COPY (SELECT * FROM main.{table}{condition})
TO {file} (FORMAT parquet, COMPRESSION zstd)
