-- The choice of MMMU's whose text an answer without a label contains, in more than five words; of
-- several the one that stands last in it, and of those the first. One row per question, pass and
-- text.
-- @internal
WITH bare AS (
    SELECT
        t.question_id, t.pass, t.text, c.labels,
        ' ' || unmarked(coalesce(t.text, '')) || ' ' AS padded
    FROM answer_text AS t
    INNER JOIN question_benchmark AS b USING (question_id)
    INNER JOIN choice_set AS c USING (question_id, pass)
    WHERE b.benchmark = 'MMMU'
),

placed AS (
    SELECT
        t.question_id, t.pass, t.text, o.label,
        row_number() OVER (
            PARTITION BY t.question_id, t.pass, t.text
            ORDER BY last_place(python_lower(t.padded), python_lower(o.text)) DESC, o.ordinal, o.label
        ) AS place
    FROM bare AS t
    INNER JOIN main.choice AS o USING (question_id, pass)
    WHERE
        label_in(t.padded, t.labels) IS NULL
        AND regexp_matches(spaced(t.padded), '[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]')
        AND (o.text = '' OR contains(python_lower(t.padded), python_lower(o.text)))
)

SELECT question_id, pass, text, label AS matched
FROM placed
WHERE place = 1
