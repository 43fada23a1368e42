-- Rows of a file that stand in place of an answer, as they are wrong: none, as every answer is its
-- own row. Releases that retell a peer may have some. One row per run, question, pass and sample.
-- @internal
-- @matched A label that is wrong; NULL: none is read.
-- @rule The rule that matched; NULL: none did.
-- @state matched, open (for a judge) or blank.
SELECT run_id, question_id, pass, sample, text AS matched, text AS rule, text AS state
FROM main.prediction
WHERE FALSE
