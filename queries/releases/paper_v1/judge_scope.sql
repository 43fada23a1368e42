-- The judges that the runs of a task are seen under, and their samples: those that were planned, those that were taken, or else one. Retracted judges are out. `none` always exists for choice tasks. One row per judge and judge sample.
-- @judge_id The judge; 0 for none.
-- @is_first Whether it is the judge's first sample: what does not depend on the judge is counted there.
WITH sampled AS (
    SELECT
        judge_id,
        judge_sample
    FROM main.judge_sample
    UNION
    SELECT
        judge_id,
        judge_sample
    FROM main.judgment
),

known AS (
    SELECT
        j.judge_id,
        j.name AS judge,
        j.task,
        j.max_attempts,
        coalesce(s.judge_sample, CAST(0 AS SMALLINT)) AS judge_sample
    FROM main.judge AS j
    LEFT JOIN sampled AS s ON j.judge_id = s.judge_id
    WHERE j.retracted_at IS NULL
)

SELECT
    0 AS judge_id,
    'none' AS judge,
    'choice_extraction' AS task,
    CAST(0 AS SMALLINT) AS max_attempts,
    CAST(0 AS SMALLINT) AS judge_sample,
    TRUE AS is_first
UNION ALL
SELECT
    judge_id,
    judge,
    task,
    max_attempts,
    judge_sample,
    row_number() OVER (PARTITION BY judge_id ORDER BY judge_sample) = 1 AS is_first
FROM known
