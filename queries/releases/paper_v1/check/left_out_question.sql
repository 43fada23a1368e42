-- The questions whose answers do not count: none. One row per question.
-- @internal
SELECT question_id
FROM main.dropped_question
WHERE FALSE
