-- The questions of a named subset of a dataset; without a name, every question: one row each.
SELECT q.question_id, q.question_key
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE
    d.name = $dataset
    AND (
        $subset IS NULL
        OR q.question_id IN (
            SELECT m.question_id
            FROM main.subset_question AS m
            WHERE
                m.subset_id = (
                    -- The newest of that name: it took the places of the others.
                    SELECT max(s.subset_id)
                    FROM main.dataset_subset AS s
                    WHERE s.dataset_id = d.dataset_id AND s.name = $subset
                )
        )
    )
ORDER BY q.question_id
