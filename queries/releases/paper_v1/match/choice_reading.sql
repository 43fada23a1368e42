-- What the rules read in each answer to a choice question, as choice_match has it, of the answers
-- that they read. One row per run, question, pass and sample.
-- @internal
-- @table per run
-- @key question_id pass sample
-- @evidence The words that it rests on, where the release names them.
SELECT
    m.run_id, m.question_id, m.pass, m.sample, m.matched, m.rule,
    CASE WHEN m.matched = e.label THEN e.evidence END AS evidence
FROM choice_match AS m
LEFT JOIN choice_evidence AS e USING (run_id, question_id, pass, sample)
WHERE m.matched IS NOT NULL OR m.rule IS NOT NULL
