-- The runs whose differences from harnesses are asked for.

-- name: live_runs_of_label
SELECT run_id
FROM main.run
WHERE label = $label AND superseded_by IS NULL AND retracted_at IS NULL
ORDER BY run_id

-- name: are_live
SELECT run_id, superseded_by IS NULL AND retracted_at IS NULL
FROM main.run
WHERE list_contains($run_ids::INTEGER[], run_id)
