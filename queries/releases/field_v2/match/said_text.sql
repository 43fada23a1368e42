-- Each distinct answer to questions with choices as the reader takes it: what stands after its
-- thinking; of thinking that never ends the thought, which may state an answer. Most texts answer
-- many questions, and are read once. One row per text.
-- @internal
-- @said What it says.
-- @is_thought Whether that is thinking which never ends.
-- @plain The same as it is compared with the choices (see the macro plain_answer); NULL: it is too
--   long to be one, by more than 100 characters.
-- @bare The same without the words that lead to an answer, and without marks (see the macros
--   without_lead and bare_choice); NULL likewise.
-- @is_led Whether there were such words.
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
),

thought AS (
    SELECT
        *,
        CASE
            WHEN state = 'open' AND is_after_thinking AND said = ''
                THEN split_part(thinking_marks(text), '<think>', array_length(string_split(thinking_marks(text), '<think>')))
        END AS open_thought
    FROM cut
)

SELECT
    c.text,
    CASE WHEN contains(c.open_thought, '</think>') THEN c.said ELSE coalesce(c.open_thought, c.said) END AS said,
    c.open_thought IS NOT NULL AND NOT contains(c.open_thought, '</think>') AS is_thought,
    CASE WHEN length(stripped(c.said)) <= l.n THEN plain_answer(c.said) END AS plain,
    CASE WHEN length(stripped(c.said)) <= l.n THEN bare_choice(without_lead(c.said)) END AS bare,
    length(c.said) <= l.n AND without_lead(c.said) <> c.said AS is_led, c.is_after_thinking, c.state
FROM thought AS c
CROSS JOIN longest AS l
