-- What an answer of a label alone, or of a label with its choice, leaves without marks: B, (B),
-- **B**, B. cat. One row per question, pass and such text.
-- @internal
-- @bare The text (see the macro bare_choice).
-- @label The label.
WITH form AS (
    SELECT question_id, pass, label, bare_choice(label) AS bare
    FROM main.choice
    UNION ALL
    SELECT question_id, pass, label, bare_choice(label || text) AS bare
    FROM main.choice
)

SELECT question_id, pass, bare, min(label) AS label
FROM form
WHERE bare <> ''
GROUP BY question_id, pass, bare
HAVING count(DISTINCT label) = 1
