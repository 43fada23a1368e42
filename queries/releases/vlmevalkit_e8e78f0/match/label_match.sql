-- What VLMEvalKit's label rules read from a text, all together: the words, and then the first
-- "answer is", asterisks or none, and one of the letters A to D, in any case as Python's (?i)
-- understands it. One row per question, pass and text.
-- @label The label, Z for a refusal; NULL: none.
-- @rule word or stated: the rule that gave it.
WITH stated AS (
    SELECT
        w.*,
        CASE
            WHEN w.may_state
                THEN translate(
                    regexp_extract(
                        spaced(w.text_read),
                        '[aA][nN][sSſ][wW][eE][rR] +[iIİı][sSſ] +[*]*([ABCDabcd])', 1
                    ),
                    'abcd', 'ABCD'
                )
        END AS stated_letter
    FROM word_match AS w
),

known AS (
    SELECT s.*, c.label AS stated_label
    FROM stated AS s
    LEFT JOIN given_choice AS c
        ON
            s.question_id = c.question_id
            AND s.pass = c.pass
            AND s.stated_letter = c.label
            AND c.is_there
)

SELECT
    question_id, pass, text, text_read, coalesce(word_label, stated_label) AS label,
    CASE
        WHEN word_label IS NOT NULL THEN 'word'
        WHEN stated_label IS NOT NULL THEN 'stated'
    END AS rule
FROM known
