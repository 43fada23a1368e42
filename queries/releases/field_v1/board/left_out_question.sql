-- The questions whose answers do not count: those that a newer list of their dataset leaves out.
-- One row per question.
-- @internal
SELECT question_id
FROM main.dropped_question
WHERE restored_by IS NULL
