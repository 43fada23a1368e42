-- The judges that the runs of a task are seen under, and their samples (see judge_asked). `none`
-- always exists for choice tasks. One row per judge and judge sample.
-- @judge_id The judge; 0 for none.
-- @is_first Whether it is the judge's first sample: what does not depend on the judge is counted
--   there.
SELECT
    0 AS judge_id, 'none' AS judge, 'choice_extraction' AS task,
    CAST(0 AS SMALLINT) AS max_attempts, CAST(0 AS SMALLINT) AS judge_sample, TRUE AS is_first
UNION ALL
SELECT *
FROM judge_asked
