-- The label that a text names, of a question with choices whose rule is extracted: that of the only
-- choice whose text it is, but for case and white space at its ends, unless it is a label as well;
-- else by the rule for labels of text_match. One row per question and text that names one.
-- @internal
WITH said AS (
    SELECT
        t.question_id, t.text, rule_text(t.text) AS said,
        named_labels(c.labels, words(rule_text(t.text))) AS named, c.labels
    FROM extraction_text AS t
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
    WHERE t.text IS NOT NULL AND NOT contains(t.text, 'Failed to obtain answer via API')
),

repeated AS (
    SELECT s.question_id, s.text, max(c.label) AS label
    FROM said AS s
    INNER JOIN main.choice AS c ON s.question_id = c.question_id AND c.pass = 0
    WHERE python_lower(stripped(s.said)) = python_lower(stripped(c.text))
        AND array_length(list_filter(s.labels, lambda x_: python_lower(x_) = python_lower(stripped(s.said)))) = 0
    GROUP BY s.question_id, s.text
    HAVING count(*) = 1
),

matched AS (
    SELECT
        s.question_id, s.text,
        coalesce(r.label, CASE WHEN array_length(s.named) = 1 THEN array_to_string(s.named, '') END) AS matched
    FROM said AS s
    LEFT JOIN repeated AS r USING (question_id, text)
)

SELECT question_id, text, matched
FROM matched
WHERE matched IS NOT NULL
