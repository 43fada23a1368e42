-- The answers in words that runs of open benchmarks gave. One row per run, question and sample.
-- @pass 0: open questions have one pass.
-- @state open (for a judge), blank, or failed (the harness wrote that inference failed).
-- @prediction The model's raw output.
SELECT
    r.run_id, r.model, r.dataset, r.dataset_id, p.question_id, q.question_key, p.pass, p.sample,
    CASE
        WHEN p.failed OR contains(p.text, 'Failed to obtain answer via API') THEN 'failed'
        WHEN p.text IS NULL OR replace(spaced(p.text), ' ', '') = '' THEN 'blank'
        ELSE 'open'
    END AS state,
    p.text AS prediction
FROM main.prediction AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
WHERE r.task = 'open' AND p.pass = 0
