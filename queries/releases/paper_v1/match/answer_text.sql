-- The distinct texts that the runs that count answered to a question and pass: what matching has to
-- look at.
-- @internal
SELECT p.question_id, p.pass, p.text
FROM main.prediction AS p
INNER JOIN current_run AS r USING (run_id)
GROUP BY p.question_id, p.pass, p.text
-- Always so; DuckDB takes it for a sign that these are few, and builds its join on them, not on the
-- answers.
HAVING count(*) > 0
