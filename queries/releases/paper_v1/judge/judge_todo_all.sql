-- Everything that still waits for each judge, under every strategy: as judge_todo, without stopping
-- early. One row per judge, judge sample and subject.
-- @attempt Index of the next attempt: how many came back unusable so far.
-- @question_id The first question with that content.
-- @pass The first pass of it.
-- @run_id The first run that needs it.
-- @prediction The raw output to be judged.
-- @n_answers Answers of all runs that this one judgment settles.
WITH placed AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY judge_id, judge_sample, subject_hash
            ORDER BY question_id, pass, run_id, sample
        ) AS place,
        count(*) OVER (PARTITION BY judge_id, judge_sample, subject_hash) AS n_answers
    FROM judge_need
)

SELECT
    judge_id, judge, task, judge_sample, attempt, subject_hash, question_id, question_key, pass,
    run_id, prediction, n_answers
FROM placed
WHERE place = 1
