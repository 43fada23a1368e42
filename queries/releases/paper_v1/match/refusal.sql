-- Answers that refuse to answer, of every benchmark, by our own short list of patterns (see the
-- macro refusal_pattern), of which the first 200 characters count. One row per run, question, pass
-- and sample whose answer is a refusal.
-- @pattern Which pattern it fits.
-- @prediction The model's raw output.
WITH likely AS (
    SELECT question_id, pass, text, opening(text) AS opening_text
    FROM answer_text
    -- Every pattern has one of these in it; most answers have none, and are read no further.
    WHERE
        regexp_matches(
            substr(text, 1, 200),
            '[Cc][Aa][Nn][^A-Za-z]*([Tt]|[Nn][Oo][Tt])|[Uu][Nn][Aa][Bb][Ll][Ee]|[Nn][Oo][Tt][^A-Za-z]+[Aa][Bb]?[Ll]|[WwDd][Oo][Nn][^A-Za-z]+[Tt]|[Oo][Uu][Tt][Ss][Ii][Dd][Ee]|[Bb][Ee][Yy][Oo][Nn][Dd]|[Gg][Uu][Ii][Dd][Ee][Ll]|[Pp][Oo][Ll][Ii][Cc]|[Pp][Rr][Oo][Gg][Rr]'
        )
),

read_once AS (
    SELECT question_id, pass, text, refusal_pattern(opening_text) AS pattern
    FROM likely
)

SELECT
    r.run_id, r.model, r.dataset, p.question_id, q.question_key, p.pass, p.sample, t.pattern,
    p.text AS prediction
FROM main.prediction AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
INNER JOIN read_once AS t
    ON p.question_id = t.question_id AND p.pass = t.pass AND p.text = t.text
WHERE t.pattern IS NOT NULL AND NOT p.failed
