-- Every pass of a choice question that a run is to answer, each of its samples apart. One row per
-- run, question, pass and sample.
-- @internal
SELECT r.run_id, d.question_id, d.question_key, d.pass, s.sample, d.answer
FROM current_run AS r
INNER JOIN dataset_pass AS d USING (dataset_id)
INNER JOIN main.run_sample AS s USING (run_id)
WHERE r.task = 'choice'
