-- The answers of runs, and the text of each that VLMEvalKit's rules read: what pandas makes of its
-- cell in a spreadsheet, such as the value of a formula, where that is another text, and nothing of
-- words such as NA in its own files. One row per run, question, pass and sample.
-- @internal
-- @text The model's raw output.
-- @given What the rules read of it; NULL: nothing.
-- @failed The harness recorded that inference failed.
WITH changed AS (
    SELECT run_id, question_id, pass, sample, value
    FROM main.answer_attribute
    WHERE name = 'cell_value'
)

SELECT
    p.run_id, p.question_id, p.pass, p.sample, p.text,
    CASE
        WHEN r.harness = 'vlmevalkit'
            THEN nullif(rule_text(coalesce(c.value, p.text)), 'nan')
        ELSE coalesce(c.value, p.text)
    END AS given,
    p.failed
FROM main.prediction AS p
INNER JOIN main.run AS r USING (run_id)
LEFT JOIN changed AS c USING (run_id, question_id, pass, sample)
