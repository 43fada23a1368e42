-- The answers in words (see open_answer), and the text of each that is compared: with marks of
-- thinking as the macro read_text has them. One row per run, question and sample.
-- @internal
-- @as_read The text.
SELECT a.run_id, a.question_id, a.sample, a.state, read_text(a.prediction, r.thinking) AS as_read
FROM open_answer AS a
INNER JOIN current_run AS r USING (run_id)
