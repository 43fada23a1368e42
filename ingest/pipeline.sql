-- What reading a file leaves in a connection.
--
-- From the cells of a spreadsheet that say something else than was written (raw_cell).

-- name: made
-- Every temporary view and table, with its number of rows.
SELECT view_name, 0, true
FROM duckdb_views()
WHERE temporary AND NOT internal
UNION ALL
SELECT table_name, estimated_size, false
FROM duckdb_tables()
WHERE temporary AND NOT internal

-- name: are_some
SELECT count(*) > 0
FROM duckdb_tables()
WHERE database_name = 'temp' AND table_name = 'raw_cell'

-- name: find_answers
-- Those that are answers: by their column, or where the file has none of that name, by their text.
CREATE OR REPLACE TEMP TABLE stage_cell AS
SELECT
    c.*,
    CASE
        WHEN $name IS NOT NULL THEN c.name = $name
        ELSE (c.row, c.text) IN (SELECT (row, text) FROM stage_prediction)
    END AS is_answer
FROM raw_cell AS c

-- name: stage_states
INSERT INTO stage_answer_attribute BY NAME
SELECT p.row, p.model, p.split, p.question_key, p.pass, p.sample, 'cell' AS name, c.state AS value
FROM stage_prediction AS p
INNER JOIN stage_cell AS c ON p.row = c.row AND c.is_answer
WHERE c.state IS NOT NULL AND p.text IS NOT DISTINCT FROM c.text

-- name: stage_values
INSERT INTO stage_answer_attribute BY NAME
SELECT p.row, p.model, p.split, p.question_key, p.pass, p.sample, 'cell_value' AS name, c.raw AS value
FROM stage_prediction AS p
INNER JOIN stage_cell AS c ON p.row = c.row AND c.is_answer
WHERE c.raw <> coalesce(c.text, '') AND p.text IS NOT DISTINCT FROM c.text

-- name: stage_cells
INSERT INTO stage_attribute BY NAME
SELECT
    q.row, q.split, q.question_key, 'spreadsheet cells' AS name,
    string_agg(c.name || ': ' || c.state, ', ' ORDER BY c.name) AS value
FROM stage_question AS q
INNER JOIN stage_cell AS c ON q.row = c.row AND NOT c.is_answer
WHERE c.state IS NOT NULL
GROUP BY q.row, q.split, q.question_key

-- name: count
SELECT is_answer, state, count(*) AS n, min(row) AS first_row, arg_min(name, row) AS column
FROM stage_cell
WHERE state IS NOT NULL
GROUP BY is_answer, state
ORDER BY is_answer DESC, state
