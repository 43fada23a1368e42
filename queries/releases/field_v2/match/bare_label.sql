-- What an answer of a label alone, or of a label with its choice, leaves without marks: B, (B),
-- **B**, B. cat. One row per question and pass that has an answer, and such text.
-- @internal
-- @bare The text (see the macro bare_choice).
-- @label The label.
WITH answered AS (
    SELECT DISTINCT question_id, pass
    FROM answer_read
),

looked_for AS (
    SELECT c.question_id, c.pass, c.label, c.text
    FROM main.choice AS c
    INNER JOIN answered USING (question_id, pass)
),

form AS (
    SELECT question_id, pass, label, bare_choice(label) AS bare
    FROM looked_for
    UNION ALL
    SELECT question_id, pass, label, bare_choice(label || text) AS bare
    FROM looked_for
)

SELECT question_id, pass, bare, min(label) AS label
FROM form
WHERE bare <> ''
GROUP BY question_id, pass, bare
HAVING count(DISTINCT label) = 1
