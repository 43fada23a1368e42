-- The distinct answers to each question and pass that are no choice word for word and no label,
-- alone or with its choice: what choice_reader reads. One row per question, pass and text.
-- @internal
-- @is_thought Whether it is thinking that never ends.
-- @is_cut Whether it breaks off (see the macro is_cut_off).
-- @said What it says (see the macro reading_ends).
SELECT
    t.question_id, t.pass, t.text, s.is_thought, is_cut_off(s.said) AS is_cut,
    reading_ends(s.said) AS said
FROM answer_read AS t
INNER JOIN said_text AS s ON t.text IS NOT DISTINCT FROM s.text
LEFT JOIN plain_choice AS p
    ON t.question_id = p.question_id AND t.pass = p.pass AND s.plain = p.plain_text
LEFT JOIN bare_label AS b
    ON t.question_id = b.question_id AND t.pass = b.pass AND s.bare = b.bare
WHERE s.state = 'open' AND p.label IS NULL AND b.label IS NULL
