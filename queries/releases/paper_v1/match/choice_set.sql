-- The choices of each question and pass as one value.
-- @internal
-- @labels The labels, as a list in no order.
-- @n_choices How many there are.
-- @text_length Characters of all choice texts together.
-- @content The choices in the form that a subject's hash takes: hexadecimal label=text, in
--   brackets.
SELECT
    question_id, pass, list(label) AS labels, count(*) AS n_choices,
    sum(length(text)) AS text_length,
    '[' || array_to_string(list_sort(list(hex(label) || '=' || hex(text))), ',') || ']' AS content
FROM main.choice
GROUP BY question_id, pass
