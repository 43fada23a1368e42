-- The answers that wait for a judge, under each judge; those of which no attempt could be read do not. One row per pending answer: run, question, pass, sample, judge and judge sample.
-- @attempt Index of the next attempt: how many came back unusable so far.
-- @prediction The raw output to be judged.
-- @is_alive Whether the verdict could change what the benchmark's own strategy makes of the question: not where a known pass makes it wrong, or where the strategy does not look.
-- @is_next Whether it is to be judged now: under CircularEval one pass of a question at a time, else as is_alive.
WITH counted AS (
    SELECT
        *,
        sum(CASE WHEN score = 1.0 THEN 1 ELSE 0 END) OVER (
            PARTITION BY run_id, question_id, sample, judge_id, judge_sample
        ) AS n_judged_right,
        sum(CASE WHEN resolved_by = 'pending' THEN 1 ELSE 0 END) OVER (
            PARTITION BY run_id, question_id, sample, judge_id, judge_sample
        ) AS n_pending,
        row_number() OVER (
            PARTITION BY run_id, question_id, sample, judge_id, judge_sample
            ORDER BY CASE WHEN resolved_by = 'pending' THEN 0 ELSE 1 END, pass
        ) AS place
    FROM judged_pass
),

looked_at AS (
    SELECT
        c.*,
        CASE b.strategy
            WHEN 'circular'
                THEN t.n_right + c.n_judged_right + c.n_pending >= required_passes(t.n_answered, q.n_expected)
            WHEN 'vanilla' THEN c.pass = 0
            ELSE TRUE
        END AS is_alive,
        b.strategy <> 'circular' OR c.place = 1 AS is_in_line
    FROM counted AS c
    INNER JOIN pass_tally AS t
        ON c.run_id = t.run_id AND c.question_id = t.question_id AND c.sample = t.sample
    INNER JOIN question_shape AS q ON c.question_id = q.question_id
    INNER JOIN current_run AS r ON c.run_id = r.run_id
    INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
    WHERE c.resolved_by = 'pending'
)

SELECT
    run_id,
    question_id,
    question_key,
    pass,
    sample,
    judge_id,
    judge,
    'choice_extraction' AS task,
    judge_sample,
    n_unusable AS attempt,
    subject_hash,
    prediction,
    is_alive,
    is_alive AND is_in_line AS is_next
FROM looked_at
UNION ALL
SELECT
    run_id,
    question_id,
    question_key,
    pass,
    sample,
    judge_id,
    judge,
    task,
    judge_sample,
    n_unusable AS attempt,
    subject_hash,
    prediction,
    TRUE AS is_alive,
    TRUE AS is_next
FROM open_judged
WHERE resolved_by = 'pending' AND n_unusable < max_attempts
