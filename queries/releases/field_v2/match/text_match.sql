-- Step 1 of MMBench (paper, Section 4.1), read as a person reads: which choice does a text state?
-- An answer that has marks of thinking is read from where its thinking ends, thinking that never
-- ends for an answer that it states. First it is compared with the choices word for word, but for
-- case, white space and one full stop at the end, and with labels, alone or with their choice, but
-- for the marks around them. All else is read by choice_reader.
-- @hook Gets each question, pass and distinct text with its labels; must keep one row for each, and
--   no look at who said it.
-- @matched The label; NULL: no match.
-- @rule text (word for word, or by choice_reader), label, or another of choice_reader, with
--   _after_thinking where marks of thinking were cut. NULL: none matched.
-- @state matched, open (for a judge), blank (nothing there), failed (the harness wrote that
--   inference failed).
WITH found AS (
    SELECT
        t.question_id, t.pass, t.text, s.state, s.is_after_thinking,
        CASE WHEN s.state = 'open' THEN coalesce(p.label, b.label, r.label) END AS matched,
        CASE WHEN p.label IS NOT NULL THEN 'text' WHEN b.label IS NULL THEN r.rule WHEN s.is_led THEN 'stated' ELSE 'label' END AS rule
    FROM answer_read AS t
    INNER JOIN said_text AS s ON t.text IS NOT DISTINCT FROM s.text
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND t.pass = c.pass
    LEFT JOIN plain_choice AS p
        ON t.question_id = p.question_id AND t.pass = p.pass AND s.plain = p.plain_text
    LEFT JOIN bare_label AS b
        ON t.question_id = b.question_id AND t.pass = b.pass AND s.bare = b.bare
    LEFT JOIN choice_reader AS r
        ON t.question_id = r.question_id AND t.pass = r.pass AND t.text = r.text
)

SELECT
    question_id, pass, text, matched,
    CASE
        WHEN matched IS NOT NULL
            THEN rule || CASE WHEN is_after_thinking THEN '_after_thinking' ELSE '' END
    END AS rule,
    CASE WHEN matched IS NOT NULL THEN 'matched' ELSE state END AS state
FROM found
