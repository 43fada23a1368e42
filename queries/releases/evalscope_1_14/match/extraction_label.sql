-- The label that a text names, of a question with choices whose rule is extracted (evalscope 1.14,
-- math_vista's choices). One row per question and text.
-- @internal
SELECT
    t.question_id, t.text,
    nullif(marked_letter(t.text, array_to_string(list_sort(c.labels), '')), '') AS matched
FROM extraction_text AS t
INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
