-- Whether the judgments that the kept results rest on are still what they were. One row.
-- @last_judgment_id The last judgment of them; newer ones touch the runs that ask about the same subject.
-- @is_same Whether none of them was changed or taken out since; taken for granted above 5 million.
WITH known AS (
    SELECT coalesce(max(last_judgment_id), 0) AS last_judgment_id, max(judgments_key) AS judgments_key
    FROM kept_judging
),

few AS (
    SELECT 1 AS one
    WHERE (SELECT count(*) FROM main.judgment) <= {most_judgments}
),

now AS (
    SELECT
        count(*) AS n,
        sum(
            CAST(
                hash(
                    j.judgment_id, j.judge_id, j.subject_hash, j.labels, j.judge_sample, j.attempt, j.run_id,
                    j.reply, j.error, j.finish_reason, j.refusal, j.body
                ) AS HUGEINT
            )
        ) AS judgments_key
    FROM main.judgment AS j
    CROSS JOIN few
    WHERE j.judgment_id <= (SELECT last_judgment_id FROM known)
)

SELECT
    k.last_judgment_id,
    k.judgments_key IS NOT DISTINCT FROM n.judgments_key OR NOT EXISTS (SELECT 1 FROM few) AS is_same
FROM known AS k
CROSS JOIN now AS n
