-- A few runs alone.

-- name: n_answers
SELECT count(*)
FROM main.prediction
WHERE run_id BETWEEN $first AND $last AND list_contains($runs, run_id)
