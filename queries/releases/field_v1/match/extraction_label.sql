-- The label that a text names, of a question with choices whose rule is extracted: by the rule of
-- text_match. One row per question and text that names one.
-- @internal
SELECT
    t.question_id,
    t.text,
    array_to_string(named_labels(c.labels, words(t.text)), '') AS matched
FROM extraction_text AS t
INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
WHERE
    t.text IS NOT NULL
    AND NOT contains(t.text, 'Failed to obtain answer via API')
    AND array_length(named_labels(c.labels, words(t.text))) = 1
