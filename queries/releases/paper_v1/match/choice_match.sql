-- What the release's matcher makes of each answer. One row per run, question, pass and sample, for
-- runs that generated text on choice questions.
-- @stored_in choice_reading
-- @hook Gets predictions and text_match; must keep one row per run, question, pass and sample.
-- @prediction The model's raw output.
-- @matched The label that the matcher reads from it; NULL: none.
-- @rule Which rule matched; NULL: none did.
-- @state matched, open (for a judge), blank, or failed (inference).
SELECT
    r.run_id, r.model, r.dataset, r.dataset_id, p.question_id, q.question_key, p.pass, p.sample,
    p.text AS prediction,
    CASE
        WHEN is_failed(p.failed) THEN NULL
        WHEN w.run_id IS NULL THEN m.matched
        ELSE w.matched
    END AS matched,
    CASE
        WHEN is_failed(p.failed) THEN NULL
        WHEN w.run_id IS NULL THEN m.rule
        ELSE w.rule
    END AS rule,
    CASE
        WHEN is_failed(p.failed) THEN 'failed'
        WHEN w.run_id IS NULL THEN m.state
        ELSE w.state
    END AS state
FROM given_answer AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
LEFT JOIN wrong_row AS w USING (run_id, question_id, pass, sample)
INNER JOIN text_match AS m
    ON p.question_id = m.question_id AND p.pass = m.pass AND p.given IS NOT DISTINCT FROM m.text
WHERE r.task = 'choice' AND r.method = 'generation'
