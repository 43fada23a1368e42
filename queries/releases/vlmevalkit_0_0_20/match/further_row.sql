-- The rows that a file has of an answer besides the one that counts: with --on-duplicate they are
-- left out, and VLMEvalKit reads each. One row per run, question, pass, sample and such row.
-- @internal
-- @text What stands there; empty: nothing.
SELECT a.run_id, a.question_id, a.pass, a.sample, a.name, a.value AS text
FROM main.answer_attribute AS a
INNER JOIN current_run AS r USING (run_id)
WHERE substring(a.name, 1, 10) = 'duplicate '
