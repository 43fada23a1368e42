-- Step 1 of MMBench (paper, Section 4.1), read as the field's answers are written: which choice
-- does a text name? An answer that has marks of thinking is read from where its thinking ends (see
-- the macro after_thinking). First it is compared with the choices word for word, but for case,
-- white space and one full stop at the end ("Vitamin C", "N/A"); the text of one choice alone is
-- the match, unless it is a label of the question as well. Then labels are looked for as in
-- paper_v1: the one that stands among its words is the match, two different ones are none.
-- @hook Gets each question, pass and distinct text with its labels; must keep one row for each, and
--   no look at who said it.
-- @matched The label; NULL: no match.
-- @rule choice (word for word) or label; choice_after_thinking or label_after_thinking where marks
--   of thinking were cut. NULL: none matched.
-- @state matched, open (for a judge), blank (nothing there), failed (the harness wrote that
--   inference failed).
WITH found AS (
    SELECT
        t.question_id, t.pass, t.text, s.state, s.is_after_thinking,
        named_labels(c.labels, s.said_words) AS candidates, p.label AS same
    FROM answer_read AS t
    INNER JOIN said_text AS s ON t.text IS NOT DISTINCT FROM s.text
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND t.pass = c.pass
    LEFT JOIN plain_choice AS p
        ON t.question_id = p.question_id AND t.pass = p.pass AND s.plain = p.plain_text
),

decided AS (
    SELECT
        question_id, pass, text, state, is_after_thinking,
        CASE WHEN state = 'open' THEN same END AS same_label,
        CASE
            WHEN state = 'open' AND array_length(candidates) = 1
                THEN array_to_string(candidates, '')
        END AS named_label
    FROM found
)

SELECT
    question_id, pass, text, coalesce(same_label, named_label) AS matched,
    CASE
        WHEN coalesce(same_label, named_label) IS NOT NULL
            THEN CASE WHEN same_label IS NOT NULL THEN 'choice' ELSE 'label' END
                || CASE WHEN is_after_thinking THEN '_after_thinking' ELSE '' END
    END AS rule,
    CASE WHEN coalesce(same_label, named_label) IS NOT NULL THEN 'matched' ELSE state END AS state
FROM decided
