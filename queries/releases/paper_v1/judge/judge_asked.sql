-- The judges that can be called, and their samples: those that were planned, those that were taken,
-- or else one. Retracted judges are out. One row per judge and judge sample.
-- @internal
-- @is_first Whether it is the judge's first sample: what does not depend on the judge is counted
--   there.
WITH sampled AS (
    SELECT judge_id, judge_sample
    FROM main.judge_sample
    UNION
    SELECT judge_id, judge_sample
    FROM main.judgment
),

known AS (
    SELECT
        j.judge_id, j.name AS judge, j.task, j.max_attempts,
        coalesce(s.judge_sample, CAST(0 AS SMALLINT)) AS judge_sample
    FROM main.judge AS j
    LEFT JOIN sampled AS s USING (judge_id)
    -- No judge has this name; said here, a query for none alone is known to need no judge.
    WHERE j.retracted_at IS NULL AND j.name <> 'none'
)

SELECT *, row_number() OVER (PARTITION BY judge_id, judge ORDER BY judge_sample) = 1 AS is_first
FROM known
