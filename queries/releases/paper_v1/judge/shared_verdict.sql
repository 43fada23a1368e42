-- The verdict for runs without their own: the shared one, else the first that graded another run.
-- One row per judge, subject and judge sample.
-- @internal
-- @state ok, refused, truncated, unparsable, unread or failed: that of the attempt that counts.
-- @n_unusable Attempts that came back refused, truncated, unparsable or unread: the shared ones,
--   and those of the graded run that has most.
-- @n_verdicts How many different verdicts there are, over the graded runs and what is shared; above
--   1 they conflict.
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
    judge_id, judge, task, subject_hash, judge_sample,
    max(CASE WHEN place = 1 THEN judgment_id END) AS judgment_id,
    max(CASE WHEN place = 1 THEN verdict END) AS verdict,
    max(CASE WHEN place = 1 THEN verdict_score END) AS verdict_score,
    max(CASE WHEN place = 1 THEN state END) AS state,
    max(CASE WHEN run_id IS NULL THEN n_unusable ELSE 0 END)
    + max(CASE WHEN run_id IS NULL THEN 0 ELSE n_unusable END) AS n_unusable,
    CASE
        WHEN task IN ('choice_extraction', 'answer_extraction') THEN count(DISTINCT verdict)
        ELSE count(DISTINCT verdict_score)
    END AS n_verdicts
FROM ordered
GROUP BY judge_id, judge, task, subject_hash, judge_sample
