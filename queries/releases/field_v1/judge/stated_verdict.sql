-- The verdicts that a harness's files hold without the judge's reply, each of one answer of the run
-- that it graded. One row per run, question, pass, sample, judge and judge sample.
-- @stated drawn (the harness drew a letter, as no reply could be read), word (what it read in the
--   reply) or hit (whether the answer was right, and no more).
-- @score What the harness scored the answer.
-- @word The word, verbatim; NULL: there is none.
WITH placed AS (
    SELECT
        j.run_id, j.question_id, j.pass, j.sample, j.judge_id, g.name AS judge, j.judge_sample,
        j.judgment_id, j.stated, j.score, j.word,
        row_number() OVER (
            PARTITION BY j.run_id, j.question_id, j.pass, j.sample, j.judge_id, j.judge_sample
            ORDER BY j.attempt, j.judgment_id
        ) AS place
    FROM main.judgment AS j
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE j.stated IS NOT NULL AND j.question_id IS NOT NULL AND g.retracted_at IS NULL
)

SELECT * EXCLUDE (place)
FROM placed
WHERE place = 1
