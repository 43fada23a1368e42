-- The verdict of each judge on each subject: the first attempt that can be parsed. One row per
-- judge, subject, judge sample and graded run (NULL: shared by all runs).
-- @state ok, refused, truncated, unparsable, unread or failed: that of the attempt that counts.
-- @n_unusable Attempts that came back refused, truncated, unparsable or unread.
WITH ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY judge_id, subject_hash, judge_sample, run_id
            ORDER BY
                CASE state WHEN 'ok' THEN 0 WHEN 'failed' THEN 2 ELSE 1 END, attempt, judgment_id
        ) AS place,
        CAST(
            sum(CASE WHEN state IN ('refused', 'truncated', 'unparsable', 'unread') THEN 1 ELSE 0 END) OVER (
                PARTITION BY judge_id, subject_hash, judge_sample, run_id
            ) AS BIGINT
        ) AS n_unusable
    FROM parsed_reply
)

SELECT
    judge_id, judge, task, subject_hash, judge_sample, run_id, judgment_id, attempt, reply, verdict,
    verdict_score, state, n_unusable
FROM ordered
WHERE place = 1
