-- What the release's matcher, or the benchmark's own rule, makes of each answer. One row per run,
-- question, pass and sample, for runs that generated text on choice questions.
-- @stored_in choice_reading
-- @hook Gets predictions and text_match; must keep one row per run, question, pass and sample.
-- @prediction The model's raw output, as a judge gets it.
-- @matched The label that is read from it; NULL: none.
-- @rule Which rule matched; NULL: none did.
-- @evidence The words that the reading rests on, where the release names them; NULL: the whole
--   answer, or no reading.
-- @state matched, open (for a judge), blank, or failed (inference).
WITH own AS (
    SELECT r.question_id, r.normaliser, a.label, c.text
    FROM question_rule AS r
    INNER JOIN main.answer AS a ON r.question_id = a.question_id AND a.pass = 0 AND a.superseded_by IS NULL
    INNER JOIN main.choice AS c ON r.question_id = c.question_id AND c.pass = 0 AND a.label = c.label
    WHERE r.rule = 'choice' AND r.normaliser IS NOT NULL
),

-- Once: a macro has its argument wherever it names it.
said AS (
    SELECT
        r.run_id, r.model, r.dataset, r.dataset_id, p.question_id, p.pass, p.sample, p.text,
        p.failed, read_text(p.given, r.thinking) AS as_read
    FROM given_answer AS p
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.task = 'choice' AND r.method = 'generation'
),

read AS (
    SELECT
        p.run_id, p.model, p.dataset, p.dataset_id, p.question_id, q.question_key, p.pass, p.sample,
        judged_text(p.text) AS prediction, is_failed(p.failed) AS is_failure,
        CASE
            WHEN w.run_id IS NULL
                THEN choice_read(o.normaliser, p.as_read, m.matched, o.label, o.text)
            ELSE w.matched
        END AS matched,
        CASE WHEN o.normaliser IS NULL THEN m.rule ELSE o.normaliser END AS rule,
        e.label AS evidence_label, e.evidence,
        CASE WHEN w.run_id IS NULL THEN m.state ELSE w.state END AS state
    FROM said AS p
    INNER JOIN main.question AS q USING (question_id)
    LEFT JOIN wrong_row AS w USING (run_id, question_id, pass, sample)
    LEFT JOIN choice_evidence AS e USING (run_id, question_id, pass, sample)
    INNER JOIN text_match AS m
        ON p.question_id = m.question_id AND p.pass = m.pass AND p.as_read IS NOT DISTINCT FROM m.text
    LEFT JOIN own AS o ON p.question_id = o.question_id
)

SELECT
    run_id, model, dataset, dataset_id, question_id, question_key, pass, sample, prediction,
    CASE WHEN NOT is_failure THEN matched END AS matched,
    CASE WHEN NOT is_failure AND matched IS NOT NULL THEN rule END AS rule,
    CASE WHEN NOT is_failure AND matched = evidence_label THEN evidence END AS evidence,
    CASE
        WHEN is_failure THEN 'failed'
        WHEN matched IS NOT NULL THEN 'matched'
        WHEN state = 'matched' THEN 'open'
        WHEN state = 'blank' AND nullif(stripped(prediction), '') IS NOT NULL THEN 'open'
        ELSE state
    END AS state
FROM read
