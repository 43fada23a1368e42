-- Each distinct answer as words: most texts answer many questions, and are read once. One row per
-- text, with marks of thinking as the macro read_text has them.
-- @internal
-- @text_words The words (see the macro words).
-- @state open, blank (nothing there), failed (the harness wrote that inference failed).
WITH said AS (
    SELECT DISTINCT read_text(p.text, r.thinking) AS text
    FROM main.prediction AS p
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.task = 'choice'
)

SELECT
    text, words(text) AS text_words,
    CASE
        WHEN text IS NULL OR replace(spaced(text), ' ', '') = '' THEN 'blank'
        WHEN contains(text, 'Failed to obtain answer via API') THEN 'failed'
        ELSE 'open'
    END AS state
FROM said
