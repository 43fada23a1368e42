-- What the rules read in each answer to a choice question, as choice_match has it, of the answers
-- that they read. One row per run, question, pass and sample.
-- @internal
-- @table per run
-- @key question_id pass sample
SELECT
    run_id,
    question_id,
    pass,
    sample,
    matched,
    rule
FROM choice_match
WHERE matched IS NOT NULL OR rule IS NOT NULL
