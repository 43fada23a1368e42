-- The answers of runs, and the text of each that rules read: all of it as it is. Releases that
-- retell a peer read what its files gave it. One row per run, question, pass and sample.
-- @internal
-- @text The model's raw output.
-- @given What the rules read of it.
-- @failed The harness recorded that inference failed.
SELECT run_id, question_id, pass, sample, text, text AS given, failed
FROM main.prediction
