-- Step 1 of MMBench (paper, Section 4.1): which choice does a text name by its label? The rule:
-- white
-- space, punctuation and line ends divide the text into words; a label of the question that is one
-- of the words
-- is a candidate, in capitals as the question writes it; A and I are no candidates where they are
-- the
-- article or the pronoun, that is where a word follows other than a single capital, and, or, nor,
-- is,
-- was, because, since. Exactly one candidate is the match; two different ones are none.
-- @hook Gets each question, pass and distinct text with its labels; must keep one row for each, and
--   no look at who said it.
-- @matched The label; NULL: no match.
-- @rule label: the rule that matched. NULL: none did.
-- @state matched, open (for a judge), blank (nothing there), failed (the harness wrote that
--   inference failed).
WITH found AS (
    SELECT
        t.question_id, t.pass, t.text, r.state, named_labels(c.labels, r.text_words) AS candidates
    FROM answer_text AS t
    INNER JOIN text_reading AS r ON t.text IS NOT DISTINCT FROM r.text
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND t.pass = c.pass
),

decided AS (
    SELECT
        question_id, pass, text, state,
        CASE
            WHEN state = 'open' AND array_length(candidates) = 1
                THEN array_to_string(candidates, '')
        END AS matched
    FROM found
)

SELECT
    question_id, pass, text, matched,
    CASE WHEN matched IS NOT NULL THEN 'label' END AS rule,
    CASE WHEN matched IS NOT NULL THEN 'matched' ELSE state END AS state
FROM decided
