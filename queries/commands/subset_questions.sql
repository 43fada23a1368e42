-- The questions of a named subset of a dataset; without a name, every question: one row each.
SELECT
    q.question_id,
    q.question_key
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE
    d.name = $dataset
    AND (
        $subset IS NULL
        OR q.question_id IN (
            SELECT m.question_id
            FROM main.subset_question AS m
            INNER JOIN main.dataset_subset AS s ON m.subset_id = s.subset_id
            WHERE s.dataset_id = d.dataset_id AND s.name = $subset
        )
    )
ORDER BY q.question_id
