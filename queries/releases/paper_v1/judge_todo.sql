-- What CircularEval still needs from each judge: of every question that no known pass makes wrong, the first pass without a verdict; each subject once. One row per judge, judge sample and subject.
-- @question_key The key of a question with that content.
-- @n_answers Answers, in whatever runs, that this one judgment settles.
WITH needed AS (
    SELECT
        p.judge_id,
        p.judge,
        p.judge_sample,
        p.subject_hash,
        p.question_key,
        p.pass,
        row_number() OVER (
            PARTITION BY p.run_id, p.question_id, p.sample, p.judge_id, p.judge_sample
            ORDER BY p.pass
        ) AS place
    FROM judged_pass AS p
    INNER JOIN question_count AS c
        ON
            p.run_id = c.run_id
            AND p.question_id = c.question_id
            AND p.sample = c.sample
            AND p.judge_id = c.judge_id
            AND p.judge_sample = c.judge_sample
    WHERE p.resolved_by = 'pending' AND c.n_right + c.n_pending >= c.n_required
)

SELECT
    judge_id,
    judge,
    'choice_extraction' AS task,
    judge_sample,
    subject_hash,
    min(question_key) AS question_key,
    count(*) AS n_answers
FROM needed
WHERE place = 1
GROUP BY judge_id, judge, judge_sample, subject_hash
