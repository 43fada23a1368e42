-- What an answer to each question consists of: answer, or text and image, both of which have to be
-- right (SEED-Bench-2, task 27). One row per question and component.
SELECT question_id, component
FROM main.question_component
UNION ALL
SELECT question_id, 'answer' AS component
FROM main.question
WHERE question_id NOT IN (SELECT question_id FROM main.question_component)
