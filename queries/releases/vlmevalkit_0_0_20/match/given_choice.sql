-- The choices of each question and pass as VLMEvalKit has them: pandas takes a text such as None or
-- NA for nothing where it reads a table, and there is no such choice then. One row per question,
-- pass and label.
-- @internal
-- @is_there Whether VLMEvalKit knows of it.
SELECT
    c.question_id, c.pass, c.label, c.text,
    NOT (
        rule_text(c.text) = 'nan'
        AND (
            substring(s.format, 1, 10) = 'vlmevalkit'
            OR python_lower(s.path) LIKE '%.tsv'
            OR python_lower(s.path) LIKE '%.csv'
            OR python_lower(s.path) LIKE '%.xlsx'
        )
    ) AS is_there
FROM main.choice AS c
INNER JOIN main.source AS s USING (source_id)
