-- The table next to a pickle of verdicts.

-- name: rows
SELECT
    coalesce(CAST({number} AS VARCHAR), trim(CAST(index AS VARCHAR))) AS key,
    CAST(prediction AS VARCHAR) AS prediction, nullif(trim(CAST({log} AS VARCHAR)), '') AS log
FROM raw
WHERE index IS NOT NULL
ORDER BY __row
