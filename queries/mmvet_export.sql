-- MM-Vet's official files.

-- name: subsets
SELECT DISTINCT s.name
FROM main.dataset_subset AS s
INNER JOIN main.dataset AS d ON s.dataset_id = d.dataset_id
WHERE d.name = $dataset
ORDER BY 1
