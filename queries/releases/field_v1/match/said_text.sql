-- Each distinct answer to questions with choices as the matcher reads it: what stands after its
-- thinking. Most texts answer many questions, and are read once. One row per text.
-- @internal
-- @said_words What it says, as words (see the macro words).
-- @plain The same as it is compared with the choices (see the macro plain_answer); NULL: it is too
--   long to be one, by more than 100 characters.
-- @is_after_thinking Whether marks of thinking were cut.
-- @state open, blank (nothing there), failed (the harness wrote that inference failed).
WITH longest AS (
    SELECT coalesce(max(length(text)), 0) + 100 AS n
    FROM main.choice
),

cut AS (
    SELECT
        text, after_thinking(text) AS said,
        coalesce(has_thinking(text), FALSE) AS is_after_thinking, state
    FROM text_reading
)

SELECT
    c.text, words(c.said) AS said_words,
    CASE WHEN length(stripped(c.said)) <= l.n THEN plain_answer(c.said) END AS plain,
    c.is_after_thinking, c.state
FROM cut AS c
CROSS JOIN longest AS l
