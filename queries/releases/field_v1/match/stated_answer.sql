-- What texts state that are more than an answer, for questions without choices whose rule was
-- inferred. One row per question and text of which that much is read; of this release none.
-- @hook Gets the texts of the rule extracted; gives at most one row per question and text.
-- @internal
-- @stated The words of the answer.
-- @score Whether they are a reference, 0 or 1.
SELECT question_id, text, text AS stated, CAST(NULL AS DOUBLE) AS score
FROM extraction_text
WHERE FALSE
