-- The words that choice_reader's readings rest on. One row per run, question, pass and sample that
-- it reads a choice in.
-- @internal
-- @label The label of that choice.
-- @evidence The words, as the reader has them: in lower case, without articles.
SELECT p.run_id, p.question_id, p.pass, p.sample, c.label, c.evidence
FROM main.prediction AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN choice_reader AS c
    ON p.question_id = c.question_id AND p.pass = c.pass AND read_text(p.text, r.thinking) = c.text
