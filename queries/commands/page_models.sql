-- The models that have runs, the first $most of them.
SELECT DISTINCT model
FROM current_run
ORDER BY model
LIMIT $most
