-- What choice_match makes of each answer, as it is stored. One row per run, question, pass and
-- sample.
-- @internal
-- @table per run
-- @key question_id pass sample
-- @evidence The words that the reading rests on, where the release names them.
-- @is_raw Whether the text for a judge is the model's raw output.
-- @other_text That text where it is another one.
SELECT
    m.run_id, m.dataset_id, m.question_id, m.pass, m.sample, m.matched, m.rule,
    CASE WHEN m.matched = e.label THEN e.evidence END AS evidence, m.state,
    m.prediction IS NOT DISTINCT FROM p.text AS is_raw,
    CASE WHEN m.prediction IS DISTINCT FROM p.text THEN m.prediction END AS other_text
FROM choice_match AS m
LEFT JOIN choice_evidence AS e USING (run_id, question_id, pass, sample)
LEFT JOIN main.prediction AS p
    ON m.run_id = p.run_id AND m.question_id = p.question_id AND m.pass = p.pass AND m.sample = p.sample
