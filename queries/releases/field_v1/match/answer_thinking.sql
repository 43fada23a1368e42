-- The answers that have marks of thinking, with what was cut of them. One row per run, question,
-- pass and sample.
-- @is_finished Whether an answer follows, or stood before it: a model that is cut off while it
--   thinks has none, and no rule reads one.
-- @n_characters How many characters of the answer are not read.
-- @said What the rules read.
WITH thought AS (
    SELECT
        r.run_id, r.model, r.run, r.dataset, p.question_id, p.pass, p.sample, p.text,
        after_thinking(read_text(p.text, r.thinking)) AS said
    FROM main.prediction AS p
    INNER JOIN current_run AS r USING (run_id)
    WHERE has_thinking(read_text(p.text, r.thinking))
)

SELECT
    t.run_id, t.model, t.run, t.dataset, t.question_id, q.question_key, t.pass, t.sample,
    t.said <> '' AS is_finished, length(t.text) - length(t.said) AS n_characters, t.said
FROM thought AS t
INNER JOIN main.question AS q USING (question_id)
