-- A file as the temporary view `raw`; `{...}` is filled in.

-- name: image
-- Short cells, which refer to another row, and paths stay as they are.
CASE
    WHEN length(image::VARCHAR) <= {short} OR ({is_named}) THEN image::VARCHAR
    ELSE coalesce({listed}, sha256(coalesce(try(from_base64(image::VARCHAR)), encode(image::VARCHAR))))
END AS image

-- name: show_parquet
CREATE TEMP VIEW raw AS
SELECT file_row_number + 1 AS __row, * EXCLUDE (file_row_number)
FROM (SELECT {columns}, file_row_number FROM read_parquet({file}, file_row_number = true))

-- name: keep_parquet
CREATE TEMP TABLE raw_table AS
SELECT file_row_number + 1 AS __row, {columns}
FROM read_parquet({file}, file_row_number = true)

-- name: hash_images
CREATE TEMP TABLE raw_table AS
SELECT file_row_number + 1 AS __row, * EXCLUDE (file_row_number) REPLACE ({cells})
FROM read_parquet({file}, file_row_number = true)

-- name: keep_text
CREATE OR REPLACE TEMP TABLE raw_table AS
SELECT {columns}
FROM {reader}

-- name: csv_reader
read_csv(
    {path}, delim = '{delimiter}', quote = '"', escape = '"', header = true, auto_detect = false,
    columns = {{{types}}}, allow_quoted_nulls = false, max_line_size = {most}
)

-- name: json_reader
read_json({path}, format = '{layout}', columns = {{{types}}}, maximum_object_size = {most})

-- name: exact_text
-- The text "NaN" is one, NaN is none.
CASE WHEN {name} NOT IN ('NaN', 'null') THEN {name} ->> '$' END AS {name}
