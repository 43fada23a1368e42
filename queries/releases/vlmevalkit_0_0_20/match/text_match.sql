-- VLMEvalKit's matcher: by label, and if that gives nothing by text, the only choice whose text
-- stands in an answer that is at most twice as long as all choice texts. One row per question, pass
-- and text.
-- @matched The label, Z where the answer is taken for a refusal; NULL: no match.
-- @rule The rule that matched: word, stated or text. NULL: none did.
-- @state matched, open (for a judge) or blank (an empty cell is still matched as the word nan, as
--   the peer does).
WITH lowered AS (
    SELECT question_id, pass, text, label, rule, python_lower(text_read) AS text_lower
    FROM label_match
),

contained AS (
    SELECT t.question_id, t.pass, t.text, max(o.label) AS only_label
    FROM lowered AS t
    INNER JOIN given_labels AS c USING (question_id, pass)
    INNER JOIN given_choice AS o USING (question_id, pass)
    WHERE
        t.label IS NULL
        AND length(t.text_lower) <= 2 * c.text_length
        AND o.is_there
        AND (o.text = '' OR contains(t.text_lower, python_lower(o.text)))
    GROUP BY t.question_id, t.pass, t.text
    HAVING count(*) = 1
)

SELECT
    t.question_id, t.pass, t.text, coalesce(t.label, c.only_label) AS matched,
    CASE WHEN t.label IS NULL AND c.only_label IS NOT NULL THEN 'text' ELSE t.rule END AS rule,
    CASE
        WHEN coalesce(t.label, c.only_label) IS NOT NULL THEN 'matched'
        WHEN t.text IS NULL OR replace(spaced(t.text), ' ', '') = '' THEN 'blank'
        ELSE 'open'
    END AS state
FROM lowered AS t
LEFT JOIN contained AS c
    ON
        t.question_id = c.question_id
        AND t.pass = c.pass
        AND t.text IS NOT DISTINCT FROM c.text
