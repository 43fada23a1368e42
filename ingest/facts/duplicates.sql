-- Duplicates among staged rows. {rows} are a table's rows with all that its {value} consists of.

-- name: has_duplicates
-- Counting keys is far cheaper than comparing their values.
SELECT count(*) <> (SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {table})) AS has_duplicates
FROM {table}

-- name: first_duplicate
SELECT {columns}, min(row) AS low, max(row) AS high, count(DISTINCT {value}) AS n_values
FROM {rows}
GROUP BY {columns}
HAVING count(*) > 1
ORDER BY high
LIMIT 1

-- name: count_duplicates
SELECT sum(n - 1) AS n_rows, count(*) FILTER (n_values > 1) AS n_conflicting
FROM (
    SELECT count(*) AS n, count(DISTINCT {value}) AS n_values
    FROM {rows}
    GROUP BY {columns}
)

-- name: drop_duplicates
CREATE OR REPLACE TEMP TABLE stage_dropped AS
SELECT row, kept
FROM (SELECT row, {keep}(row) OVER (PARTITION BY {columns}) AS kept FROM {table})
WHERE row <> kept

-- name: keep_texts
-- What the answers say that are left out, or what pandas reads there: attributes of the one that
-- counts. Who takes a file as it is scores each.
INSERT INTO stage_answer_attribute BY NAME
SELECT
    d.kept AS row, p.model, p.split, p.question_key, p.pass, p.sample,
    'duplicate ' || row_number() OVER (
        PARTITION BY d.kept, p.model, p.split, p.question_key, p.pass, p.sample
        ORDER BY d.row
    ) AS name,
    coalesce(v.value, p.text, '') AS value
FROM stage_dropped AS d
INNER JOIN stage_prediction AS p ON d.row = p.row
LEFT JOIN stage_answer_attribute AS v
    ON
        p.row = v.row
        AND p.model IS NOT DISTINCT FROM v.model
        AND p.question_key = v.question_key
        AND p.pass = v.pass
        AND p.sample = v.sample
        AND v.name = 'cell_value'

-- name: questions_with_choices
(
    SELECT q.*, c.choices, r.refs
    FROM stage_question AS q
    LEFT JOIN (
        SELECT row, list(row(label, text) ORDER BY ordinal) AS choices
        FROM stage_choice
        GROUP BY row
    ) AS c ON q.row = c.row
    LEFT JOIN (
        SELECT row, list(text ORDER BY ordinal) AS refs
        FROM stage_reference
        GROUP BY row
    ) AS r ON q.row = r.row
)

-- name: predictions_with_answers
-- A prediction file may carry the right answers too, and they can differ where predictions do not.
(
    SELECT p.*, q.answer
    FROM stage_prediction AS p
    LEFT JOIN stage_question AS q ON p.row = q.row
)

-- name: columns_of_raw
SELECT column_name FROM duckdb_columns() WHERE table_name = 'raw' AND schema_name = 'main'

-- name: asks_two
SELECT count(DISTINCT plain_text(text)) > 1 AS asks_two
FROM ({asked}) AS a(row, text)
WHERE row IN (SELECT unnest($rows::BIGINT[]))
