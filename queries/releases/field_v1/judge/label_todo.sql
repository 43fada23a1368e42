-- What a person is asked to judge, to see how far a judge can be believed: the judge's verdicts, of which
-- those with the smallest hashes are a sample that depends on nothing else. Read it in the order of
-- subject_hash. One row per judge and subject, with the first answer of that content.
-- @run_id The first run with that answer.
-- @question_id The first question with that content.
-- @pass The first pass of it.
-- @judge The judge whose verdict a person checks; no person's are here.
WITH judged AS (
    SELECT
        judge_id,
        judge,
        subject_hash,
        run_id,
        question_id,
        pass,
        sample
    FROM judged_pass
    WHERE resolved_by = 'judge'
    UNION ALL
    SELECT
        judge_id,
        judge,
        subject_hash,
        run_id,
        question_id,
        pass,
        sample
    FROM open_judged
    WHERE resolved_by = 'graded' AND task = 'soft_score'
),

placed AS (
    SELECT
        d.*,
        row_number() OVER (
            PARTITION BY d.judge_id, d.subject_hash
            ORDER BY d.question_id, d.pass, d.run_id, d.sample
        ) AS place
    FROM judged AS d
    INNER JOIN main.judge AS g ON d.judge_id = g.judge_id
    WHERE g.kind <> 'human'
)

SELECT
    run_id,
    question_id,
    pass,
    subject_hash,
    judge
FROM placed
WHERE place = 1
