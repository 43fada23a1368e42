-- Further rows that a file has of a question and pass, of which the first is the answer: none
-- count. Releases that retell a peer count them. One row per run, question, pass and sample.
-- @internal
SELECT run_id, question_id, pass, sample, text
FROM main.prediction
WHERE FALSE
