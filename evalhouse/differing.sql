-- Two datasets side by side.

-- name: make_comparable
UPDATE main.dataset
SET benchmark_id = (SELECT benchmark_id FROM main.dataset WHERE dataset_id = $first)
WHERE list_contains($all::INTEGER[], dataset_id)
