-- The choices of each question and pass as answers are compared with them. One row per question and
-- pass.
-- @internal
-- @choices A list of label, U+001F, text (see the macro plain_answer), for each choice with a text.
WITH plain AS (
    SELECT
        text,
        plain_answer(text) AS plain_text
    FROM main.choice
    -- Passes have the same choices in another order, and many questions the same ones.
    GROUP BY text
)

SELECT
    c.question_id,
    c.pass,
    list(c.label || decode(unhex('1F')) || p.plain_text) AS choices
FROM main.choice AS c
INNER JOIN plain AS p ON c.text = p.text
-- Not the text alone: that would be looked at before the grouping, for every row.
WHERE c.label || p.plain_text <> c.label
GROUP BY c.question_id, c.pass
