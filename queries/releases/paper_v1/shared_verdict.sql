-- The verdict that a run takes which has none of its own: the one that is shared, else the first that graded another run. One row per judge, subject and judge sample.
WITH ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY judge_id, subject_hash, judge_sample
            ORDER BY
                CASE state WHEN 'ok' THEN 0 WHEN 'failed' THEN 2 ELSE 1 END,
                CASE WHEN run_id IS NULL THEN 0 ELSE 1 END,
                judgment_id
        ) AS place
    FROM verdict
)

SELECT
    judge_id,
    subject_hash,
    judge_sample,
    judgment_id,
    verdict,
    state,
    n_unusable
FROM ordered
WHERE place = 1
