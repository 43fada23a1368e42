-- The references of each question as one list. One row per question with references.
-- @internal
-- @reference The reference where there is one alone; NULL: there are several.
SELECT
    question_id, list(text) AS answers,
    CASE WHEN count(*) = 1 THEN max(text) END AS reference
FROM main.reference_answer
GROUP BY question_id
