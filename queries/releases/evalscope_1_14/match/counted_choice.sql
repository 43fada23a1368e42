-- The choice that a reply has most often (evalscope 1.14, cmmmu): by letters in brackets, else by
-- letters, else by texts. Nothing where several are as frequent, which is wrong, or none is there:
-- evalscope draws a letter then. One row per question, pass and text.
-- @internal
WITH mark AS (
    SELECT
        o.question_id, o.pass, o.label, k.kind,
        CASE k.kind WHEN 1 THEN '(' || o.label || ')' WHEN 2 THEN o.label ELSE o.text END AS mark
    FROM main.choice AS o
    INNER JOIN question_benchmark AS b ON o.question_id = b.question_id AND b.benchmark = 'cmmmu'
    CROSS JOIN (VALUES (1), (2), (3)) AS k (kind)
),

placed AS (
    SELECT
        t.question_id, t.pass, t.text, m.label,
        rank() OVER (
            PARTITION BY t.question_id, t.pass, t.text
            ORDER BY m.kind, (length(t.text) - length(replace(t.text, m.mark, ''))) / length(m.mark) DESC
        ) AS place
    FROM answer_text AS t
    INNER JOIN mark AS m USING (question_id, pass)
    WHERE contains(t.text, m.mark) AND m.mark <> ''
)

SELECT question_id, pass, text, min(label) AS matched
FROM placed
WHERE place = 1
GROUP BY question_id, pass, text
HAVING count(*) = 1
