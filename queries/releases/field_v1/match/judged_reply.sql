-- What judges said who extract answers, compare or grade them; those of retracted judges are out.
-- One row per question, text and judgment.
-- @internal
-- @model The judge's model.
-- @max_attempts How often it is tried.
-- @run_id The run that it graded; NULL: shared by all.
-- @said 0 to 1, where the reply is a grade by itself; NULL: an extracted answer, or no grade.
-- @reference_said What it gave the reference, 0 to 1 (pair); NULL: nothing.
-- @state ok, unparsable, or failed (the call failed).
WITH found AS (
    SELECT
        s.question_id, s.text, j.judgment_id, j.judge_id, g.name AS judge, g.model, g.task,
        g.max_attempts, j.judge_sample, j.attempt, j.run_id, j.reply, j.error,
        CASE g.task
            WHEN 'equivalence'
                THEN CASE stripped(j.reply) WHEN '1' THEN 1.0 WHEN '0' THEN 0.0 END
            WHEN 'points' THEN points_share(j.reply, u.normaliser)
            WHEN 'pair' THEN pair_part(j.reply, FALSE)
        END AS said,
        CASE WHEN g.task = 'pair' THEN pair_part(j.reply, TRUE) END AS reference_said
    FROM ruled_subject AS s
    INNER JOIN question_rule AS u USING (question_id)
    INNER JOIN main.judgment AS j USING (subject_hash)
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE
        g.retracted_at IS NULL
        AND g.task IN ('answer_extraction', 'equivalence', 'points', 'pair')
)

SELECT
    question_id, text, judgment_id, judge_id, judge, model, task, max_attempts, judge_sample,
    attempt, run_id, reply, CAST(said AS DOUBLE) AS said,
    CAST(reference_said AS DOUBLE) AS reference_said,
    CASE
        WHEN error IS NOT NULL THEN 'failed'
        WHEN said IS NOT NULL OR (task = 'answer_extraction' AND reply IS NOT NULL) THEN 'ok'
        ELSE 'unparsable'
    END AS state
FROM found
