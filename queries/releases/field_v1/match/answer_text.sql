-- The distinct texts that the runs that count answered to a question and pass, and those that judges
-- extracted from answers: what matching has to look at.
-- @internal
WITH said AS (
    SELECT
        p.question_id,
        p.pass,
        p.text
    FROM main.prediction AS p
    INNER JOIN current_run AS r ON p.run_id = r.run_id
    UNION ALL
    SELECT
        question_id,
        CAST(0 AS SMALLINT) AS pass,
        text
    FROM extraction_text
)

SELECT
    question_id,
    pass,
    text
FROM said
GROUP BY question_id, pass, text
-- Always so; DuckDB takes it for a sign that these are few, and builds its join on them, not on the
-- answers.
HAVING count(*) > 0
