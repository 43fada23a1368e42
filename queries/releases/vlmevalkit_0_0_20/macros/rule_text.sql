-- An answer as pandas hands it on from a spreadsheet or TSV: a blank one, and its words for
-- nothing, are the text nan; a cell has at most 32,767 characters.
CREATE MACRO rule_text(text) AS
CASE
    WHEN
        text IS NULL
        OR text IN (
            '', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>',
            'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'
        )
        THEN 'nan'
    ELSE text
END
