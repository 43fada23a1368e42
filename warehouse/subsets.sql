-- Named subsets of a dataset's questions.

-- name: live_subset
SELECT s.subset_id, s.name, list(q.question_id) AS question_ids
FROM main.dataset_subset AS s
INNER JOIN main.subset_question AS q ON s.subset_id = q.subset_id
WHERE
    s.dataset_id = $dataset_id
    AND lower(s.name) = lower($name)
    AND s.superseded_by IS NULL
GROUP BY s.subset_id, s.name

-- name: supersede
UPDATE main.dataset_subset
SET superseded_by = $source_id
WHERE subset_id = $subset_id

-- name: add_subset
INSERT INTO main.dataset_subset (subset_id, dataset_id, name, source_id)
VALUES ($subset_id, $dataset_id, $name, $source_id)

-- name: add_questions
INSERT INTO main.subset_question
SELECT $subset_id, unnest($question_ids::INTEGER[]), $source_id

-- name: names
SELECT name
FROM main.dataset_subset
WHERE dataset_id = $dataset_id AND superseded_by IS NULL
ORDER BY name
