-- The references of each question as one list; a question without any has the text nan, as pandas
-- makes of an empty cell. One row per question with a rule.
-- @internal
-- @reference The reference where there is one alone; NULL: there are several.
WITH given AS (
    SELECT q.question_id, coalesce(a.text, 'nan') AS text
    FROM question_rule AS q
    LEFT JOIN main.reference_answer AS a USING (question_id)
)

SELECT
    question_id, list(text) AS answers,
    CASE WHEN count(*) = 1 THEN max(text) END AS reference
FROM given
GROUP BY question_id
