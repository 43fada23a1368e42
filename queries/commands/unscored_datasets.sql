-- The data sets of the runs that count, for those without any figure: no rule reads the answers, and
-- no judge has graded them.
SELECT DISTINCT
    benchmark,
    dataset
FROM current_run
WHERE is_latest
ORDER BY dataset
