-- What exports hold if nothing else is said.

-- name: live_runs
SELECT run_id
FROM main.run
WHERE superseded_by IS NULL AND retracted_at IS NULL
ORDER BY run_id
