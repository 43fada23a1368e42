-- The table next to a pickle of verdicts.
--
-- Logs of a pickle, and what the table next to it says of them.

-- name: rows
SELECT
    coalesce(CAST({number} AS VARCHAR), trim(CAST(index AS VARCHAR))) AS key,
    CAST(prediction AS VARCHAR) AS prediction, nullif(trim(CAST({log} AS VARCHAR)), '') AS log
FROM raw
WHERE index IS NOT NULL
ORDER BY __row

-- name: keys
-- None where no judge had a part in the file.
SELECT r.__row, coalesce(CAST({number} AS VARCHAR), trim(r.key)) AS key, r.log
FROM raw AS r
SEMI JOIN stage_log AS l ON r.__row = l.row
ORDER BY r.__row

-- name: add_predictions
UPDATE stage_log
SET prediction = n.prediction
FROM (SELECT unnest($rows) AS row, CAST(unnest($predictions) AS VARCHAR) AS prediction) AS n
WHERE stage_log.row = n.row

-- name: leave_out
DELETE FROM stage_log
WHERE list_contains($rows, row)
