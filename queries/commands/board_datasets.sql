-- The data sets of the runs that count. One without a figure has answers that no rule reads, and no
-- judge has graded.
SELECT DISTINCT benchmark, dataset
FROM current_run
WHERE is_latest
ORDER BY dataset
