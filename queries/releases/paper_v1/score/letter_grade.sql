-- What graders by letter said (Inspect's model_graded_qa): the word after the last `GRADE:` of the
-- reply. C is correct and scores 1, P partly correct, 0.5, I incorrect, 0. One row per judgment of
-- a judge with the task letter_grade; retracted judges are out.
-- @run_id The run that was graded.
-- @grade C, P or I; NULL: the reply has none, or one that the prompt did not offer.
-- @grade_score The grade as a fraction from 0 to 1; NULL: no grade.
-- @state ok, unparsable, or failed (the call failed).
WITH divided AS (
    SELECT
        j.judgment_id, j.judge_id, g.name AS judge, j.subject_hash, j.judge_sample, j.run_id,
        j.reply, j.error,
        contains(coalesce(j.prompt, ''), 'LETTER is one of CI.') AS without_partial,
        final_grade(coalesce(j.reply, '')) AS word
    FROM main.judgment AS j
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE g.task = 'letter_grade' AND g.retracted_at IS NULL
),

graded AS (
    SELECT
        *,
        CASE
            WHEN error IS NOT NULL THEN NULL
            WHEN word IN ('c', 'correct') THEN 'C'
            WHEN word IN ('p', 'partial') AND NOT without_partial THEN 'P'
            WHEN word IN ('i', 'incorrect') THEN 'I'
        END AS grade
    FROM divided
)

SELECT
    judgment_id, judge_id, judge, subject_hash, judge_sample, run_id, reply, grade,
    CASE grade WHEN 'C' THEN CAST(1 AS DOUBLE) WHEN 'P' THEN CAST(0.5 AS DOUBLE) WHEN 'I' THEN CAST(0 AS DOUBLE) END
        AS grade_score,
    CASE
        WHEN error IS NOT NULL THEN 'failed'
        WHEN grade IS NULL THEN 'unparsable'
        ELSE 'ok'
    END AS state
FROM graded
