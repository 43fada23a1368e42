-- What each judge's reply says. A choice is a label the judge could choose from (X: none of them) that stands as a word of the reply, by the rule of step 1. One row per judgment.
-- @verdict The label; NULL: no verdict.
-- @state ok, refused, truncated, unparsable, or failed (there is no reply).
WITH divided AS (
    SELECT
        j.judgment_id,
        j.judge_id,
        g.name AS judge,
        g.task,
        j.subject_hash,
        j.judge_sample,
        j.attempt,
        j.run_id,
        j.reply,
        j.finish_reason,
        j.labels,
        words(j.reply) AS reply_words
    FROM main.judgment AS j
    INNER JOIN main.judge AS g ON j.judge_id = g.judge_id
),

found AS (
    SELECT
        *,
        CASE WHEN task = 'choice_extraction' THEN named_labels(labels, reply_words) END
            AS candidates
    FROM divided
)

SELECT
    judgment_id,
    judge_id,
    judge,
    task,
    subject_hash,
    judge_sample,
    attempt,
    run_id,
    reply,
    CASE
        WHEN array_length(candidates) = 1 THEN array_to_string(candidates, '')
    END AS verdict,
    CASE
        WHEN reply IS NULL THEN 'failed'
        WHEN array_length(candidates) = 1 THEN 'ok'
        WHEN finish_reason = 'content_filter' THEN 'refused'
        WHEN finish_reason = 'length' THEN 'truncated'
        ELSE 'unparsable'
    END AS state
FROM found
