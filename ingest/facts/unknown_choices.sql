-- Choices without a text, and the texts that a later file has of them.

-- name: find_mended
-- Also those that a results file could not know of: the last ones of a question, blank as well.
CREATE OR REPLACE TEMP TABLE stage_mended AS
SELECT b.question_id, s.pass, s.label, s.ordinal, s.text
FROM stage_choice AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question AS q ON b.question_id = q.question_id AND q.text <> ''
INNER JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
LEFT JOIN main.choice AS c
    ON b.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
WHERE
    s.text <> ''
    AND (
        c.text = ''
        OR (
            c.label IS NULL
            AND NOT b.complete
            AND s.text IN (
                '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>',
                'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'
            )
        )
    )

-- name: forget_blank
DELETE FROM main.choice
USING stage_mended AS s
WHERE choice.question_id = s.question_id AND choice.pass = s.pass AND choice.label = s.label

-- name: add_mended
INSERT INTO main.choice
SELECT question_id, pass, label, ordinal, text, $source_id
FROM stage_mended

-- name: count_unknown
SELECT count(*) AS n, min(row(q.question_key, c.label)) AS example
FROM main.choice AS c
INNER JOIN main.question AS q ON c.question_id = q.question_id
WHERE c.source_id = $source_id AND c.text = '' AND q.text <> ''
