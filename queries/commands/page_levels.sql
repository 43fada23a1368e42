-- The abilities that each question of a dataset counts for.
SELECT l.question_id, l.ability_id
FROM question_level AS l
INNER JOIN main.question AS q ON l.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE d.name = $dataset
