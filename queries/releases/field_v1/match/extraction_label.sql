-- The label that a text names, of a question with choices whose rule is extracted: by the rule of
-- text_match; else that of the only choice whose text it is, but for case and white space at its
-- ends. One row per question and text that names one.
-- @internal
WITH said AS (
    SELECT
        t.question_id,
        t.text,
        named_labels(c.labels, words(t.text)) AS named
    FROM extraction_text AS t
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
    WHERE t.text IS NOT NULL AND NOT contains(t.text, 'Failed to obtain answer via API')
),

repeated AS (
    SELECT
        s.question_id,
        s.text,
        max(c.label) AS label
    FROM said AS s
    INNER JOIN main.choice AS c ON s.question_id = c.question_id AND c.pass = 0
    WHERE python_lower(stripped(s.text)) = python_lower(stripped(c.text))
    GROUP BY s.question_id, s.text
    HAVING count(*) = 1
),

matched AS (
    SELECT
        s.question_id,
        s.text,
        CASE WHEN array_length(s.named) = 1 THEN array_to_string(s.named, '') ELSE r.label END AS matched
    FROM said AS s
    LEFT JOIN repeated AS r ON s.question_id = r.question_id AND s.text = r.text
)

SELECT
    question_id,
    text,
    matched
FROM matched
WHERE matched IS NOT NULL
