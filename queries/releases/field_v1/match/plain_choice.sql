-- The choices of each question and pass as answers are compared with them. One row per question and
-- pass.
-- @internal
-- @choices A list of label, U+001F, text (see the macro plain_answer), for each choice with a text.
SELECT
    question_id,
    pass,
    list(label || decode(unhex('1F')) || plain_answer(text)) AS choices
FROM main.choice
WHERE plain_answer(text) <> ''
GROUP BY question_id, pass
