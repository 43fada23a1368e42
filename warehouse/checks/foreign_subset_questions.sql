-- A subset has a question of another dataset, or none at all
SELECT s.subset_id, q.question_id
FROM main.dataset_subset AS s
INNER JOIN main.subset_question AS m ON s.subset_id = m.subset_id
INNER JOIN main.question AS q ON m.question_id = q.question_id
WHERE q.dataset_id <> s.dataset_id
UNION ALL
SELECT subset_id, NULL AS question_id
FROM main.dataset_subset
WHERE subset_id NOT IN (SELECT subset_id FROM main.subset_question)
