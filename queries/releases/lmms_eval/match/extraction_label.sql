-- The label that a text is taken for, of a question with choices whose rule is extracted
-- (tasks/mathvista/mathvista_evals.py): the first letter in brackets, or the text if it is a label;
-- else that of the choice whose text needs the fewest changes (Levenshtein), the first of several.
-- One row per question and text.
-- @internal
WITH said AS (
    SELECT
        t.question_id, t.text,
        translate(
            coalesce(
                nullif(regexp_extract(t.text, '[(]([a-zA-Z])[)]', 1), ''), stripped(coalesce(t.text, ''))
            ),
            CASE
                WHEN regexp_matches(t.text, '[(][a-zA-Z][)]') THEN 'abcdefghijklmnopqrstuvwxyz'
                ELSE ''
            END,
            CASE
                WHEN regexp_matches(t.text, '[(][a-zA-Z][)]') THEN 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
                ELSE ''
            END
        ) AS stated
    FROM extraction_text AS t
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND c.pass = 0
),

placed AS (
    SELECT
        s.question_id, s.text, c.label,
        row_number() OVER (
            PARTITION BY s.question_id, s.text
            ORDER BY
                CASE WHEN s.stated = c.label THEN 0 ELSE 1 END,
                coalesce(character_distance(s.stated, c.text), 1000000), c.ordinal, c.label
        ) AS place
    FROM said AS s
    INNER JOIN main.choice AS c ON s.question_id = c.question_id AND c.pass = 0
)

SELECT question_id, text, label AS matched
FROM placed
WHERE place = 1
