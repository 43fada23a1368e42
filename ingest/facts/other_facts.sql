-- From staged ids to named subsets.

-- name: unknown_questions
SELECT s.row, s.question_key
FROM stage_subset AS s
ANTI JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ORDER BY s.row
LIMIT 1

-- name: sets
SELECT
    s.subset, d.dataset_id, d.name, min(s.row) AS row,
    list(b.question_id ORDER BY b.question_id) AS question_ids
FROM stage_subset AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.dataset AS d ON b.dataset_id = d.dataset_id
GROUP BY s.subset, d.dataset_id, d.name
ORDER BY min(s.row)
