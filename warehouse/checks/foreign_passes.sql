-- A prediction is for a question or pass that its run's dataset does not have
SELECT DISTINCT p.run_id, p.question_id, p.pass
FROM main.prediction AS p
ANTI JOIN (
    SELECT r.run_id, q.question_id, s.pass
    FROM main.run AS r
    INNER JOIN (
        SELECT dataset_id, question_id FROM main.question
        UNION
        SELECT dataset_id, question_id FROM main.dropped_question
    ) AS q ON r.dataset_id = q.dataset_id
    INNER JOIN main.question_pass AS s ON q.question_id = s.question_id
) AS known ON p.run_id = known.run_id AND p.question_id = known.question_id AND p.pass = known.pass
