-- The choices that VLMEvalKit knows of as one value. One row per question and pass.
-- @internal
-- @labels Their labels, as a list in no order.
-- @text_length Characters of all their texts together.
SELECT
    question_id, pass,
    list_filter(list(CASE WHEN is_there THEN label ELSE '' END), lambda x_: x_ <> '') AS labels,
    sum(CASE WHEN is_there THEN length(text) ELSE 0 END) AS text_length
FROM given_choice
GROUP BY question_id, pass
