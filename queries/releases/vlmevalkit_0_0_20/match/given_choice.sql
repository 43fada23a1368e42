-- The choices of each question and pass that VLMEvalKit knows of: pandas takes a text such as None
-- or NA for nothing, and there is no choice then. One row per question and pass.
-- @internal
-- @labels Their labels, as a list in no order.
-- @text_length Characters of all their texts together.
SELECT
    question_id,
    pass,
    list(CASE WHEN rule_text(text) <> 'nan' THEN label END) AS labels,
    sum(CASE WHEN rule_text(text) <> 'nan' THEN length(text) ELSE 0 END) AS text_length
FROM main.choice
GROUP BY question_id, pass
