-- Logs of a pickle, and what the table next to it says of them.

-- name: keys
SELECT __row, coalesce(CAST({number} AS VARCHAR), trim(key)) AS key, log
FROM raw
ORDER BY __row

-- name: add_predictions
UPDATE stage_log
SET prediction = n.prediction
FROM (SELECT unnest($rows) AS row, CAST(unnest($predictions) AS VARCHAR) AS prediction) AS n
WHERE stage_log.row = n.row

-- name: leave_out
DELETE FROM stage_log
WHERE list_contains($rows, row)
