-- What each judge's reply says. A choice is a label the judge could choose from (X: none of them)
-- that stands as a word of the reply, by the rule of step 1; a soft score or a mark is the reply's
-- first word; whether two answers are the same is a reply of 0 or 1 alone; an extracted answer is
-- the reply. Replies of retracted judges are out. One row per judgment.
-- @judgments_of subject open_subject
-- @hook Gets raw judge replies; must keep one row per judgment, and a state for each that says why
--   there is no verdict.
-- @verdict The label, the number as it stands in the reply, or the extracted answer; NULL: no
--   verdict.
-- @state ok, refused, truncated, unparsable, unread (a paid reply of a shape in which no text was
--   found; main.judgment.body has it), or failed (the call failed).
WITH divided AS (
    SELECT
        j.judgment_id, j.judge_id, g.name AS judge, g.task, j.subject_hash, j.judge_sample,
        j.attempt, j.run_id, j.reply, j.error, j.refusal, j.body,
        coalesce(j.finish_reason, '') IN ('length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS')
            AS is_cut,
        coalesce(j.finish_reason, '') IN ('content_filter', 'refusal', 'SAFETY') AS is_filtered,
        j.labels, words(j.reply) AS reply_words, first_word(j.reply) AS reply_word
    FROM main.judgment AS j
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE g.retracted_at IS NULL
),

found AS (
    SELECT
        *,
        CASE WHEN task = 'choice_extraction' THEN named_labels(labels, reply_words) END
            AS candidates
    FROM divided
),

read AS (
    SELECT
        *,
        CASE
            WHEN error IS NOT NULL THEN NULL
            WHEN task = 'soft_score' THEN soft_score_word(reply_word, is_cut)
            WHEN task = 'mark' THEN mark_word(reply_word, is_cut)
            WHEN
                task = 'equivalence'
                AND reply_word IN ('0', '1')
                AND replace(spaced(reply), ' ', '') = reply_word
                THEN reply_word
        END AS number,
        CASE
            WHEN error IS NULL AND array_length(candidates) = 1
                -- Z after X is the harness's own word for X.
                THEN CASE
                    WHEN
                        array_to_string(candidates, '') = 'Z'
                        AND contains(array_to_string(labels, ','), 'X,Z')
                        THEN 'X'
                    ELSE array_to_string(candidates, '')
                END
            WHEN error IS NULL AND task = 'answer_extraction' AND reply_word <> '' THEN reply
        END AS label
    FROM found
)

SELECT
    judgment_id, judge_id, judge, task, subject_hash, judge_sample, attempt, run_id, reply,
    coalesce(label, number) AS verdict, CAST(number AS DOUBLE) AS verdict_score,
    CASE
        WHEN error IS NOT NULL THEN 'failed'
        WHEN label IS NOT NULL OR number IS NOT NULL THEN 'ok'
        WHEN refusal IS NOT NULL OR is_filtered THEN 'refused'
        WHEN is_cut THEN 'truncated'
        WHEN reply IS NULL AND body IS NOT NULL THEN 'unread'
        ELSE 'unparsable'
    END AS state
FROM read
