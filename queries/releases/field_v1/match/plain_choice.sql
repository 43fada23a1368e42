-- The texts of each question's choices that one choice alone has and that are no label of the
-- question, as answers are compared with them; and of a choice whose text pandas took for nothing,
-- the only one of its question, the words that it does so with. One row per question, pass and such
-- text.
-- @internal
-- @plain_text The text (see the macro plain_answer).
-- @label The label of the choice.
WITH plain AS (
    SELECT text, plain_answer(text) AS plain_text
    FROM main.choice
    -- Passes have the same choices in another order, and many questions the same ones.
    GROUP BY text
),

labels AS (
    SELECT DISTINCT question_id, pass, python_lower(label) AS plain_text
    FROM main.choice
),

lost AS (
    SELECT question_id, pass, min(label) AS label
    FROM main.choice
    WHERE text = ''
    GROUP BY question_id, pass
    HAVING count(*) = 1
)

SELECT c.question_id, c.pass, p.plain_text, min(c.label) AS label
FROM main.choice AS c
INNER JOIN plain AS p USING (text)
LEFT JOIN labels AS l USING (question_id, pass, plain_text)
-- Not the text alone: that would be looked at before the grouping, for every row.
WHERE c.label || p.plain_text <> c.label AND l.plain_text IS NULL
GROUP BY c.question_id, c.pass, p.plain_text
HAVING count(*) = 1
UNION ALL
SELECT l.question_id, l.pass, w.plain_text, l.label
FROM lost AS l
CROSS JOIN (VALUES ('none'), ('na'), ('n/a'), ('null'), ('nan'), ('<na>'), ('#n/a'), ('#na')) AS w (plain_text)
