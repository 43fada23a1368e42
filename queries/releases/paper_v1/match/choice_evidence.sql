-- The words that readings of choices rest on, where the matcher says more than its rule. One row
-- per run, question, pass and sample of such a reading; of this matcher none.
-- @hook Gets predictions; gives at most one row for each answer.
-- @internal
-- @label The label that they state: they are no reason for another reading.
-- @evidence The words.
SELECT run_id, question_id, pass, sample, text AS label, text AS evidence
FROM main.prediction
WHERE FALSE
