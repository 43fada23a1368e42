-- The answers in words (see open_answer), and the text of each that is compared: all of it. One row
-- per run, question and sample.
-- @internal
-- @as_read The text.
SELECT run_id, question_id, sample, state, prediction AS as_read
FROM open_answer
