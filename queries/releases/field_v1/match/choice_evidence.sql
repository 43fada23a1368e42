-- The words that readings of choices rest on, where the matcher says more than its rule. One row per
-- run, question, pass and sample of such a reading; of this matcher none.
-- @hook Gets predictions; gives at most one row for each answer.
-- @internal
-- @evidence The words.
SELECT
    run_id,
    question_id,
    pass,
    sample,
    text AS evidence
FROM main.prediction
WHERE FALSE
