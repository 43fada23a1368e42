-- An answer is in one piece where the question wants several, or the reverse
SELECT DISTINCT 'choice_score' AS table_name, s.run_id, s.question_id, s.component
FROM main.choice_score AS s
ANTI JOIN (
    SELECT question_id, component
    FROM main.question_component
    UNION ALL
    SELECT question_id, 'answer' AS component
    FROM (
        SELECT question_id FROM main.question
        UNION
        SELECT question_id FROM main.dropped_question
    )
    WHERE question_id NOT IN (SELECT question_id FROM main.question_component)
) AS w ON s.question_id = w.question_id AND s.component = w.component
UNION ALL
SELECT DISTINCT 'prediction' AS table_name, run_id, question_id, 'answer' AS component
FROM main.prediction
WHERE question_id IN (SELECT question_id FROM main.question_component)
