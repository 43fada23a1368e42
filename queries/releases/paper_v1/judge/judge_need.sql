-- The answers that wait for a judge, under each judge; those of which no attempt could be read do
-- not. One row per pending answer: run, question, pass, sample, judge and judge sample.
-- @table per run
-- @key question_id pass sample judge judge_sample
-- @attempt Index of the next attempt: how many came back unusable so far.
-- @prediction The raw output to be judged.
-- @is_alive Whether the verdict could change what the benchmark's own strategy makes of the
--   question: not where a known pass makes it wrong, or where the strategy does not look.
-- @is_next Whether it is to be judged now: under CircularEval one pass of a question at a time,
--   else as is_alive.
WITH waiting AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, sample, judge_id, judge_sample
            ORDER BY pass
        ) AS place
    FROM judged_pass
    WHERE resolved_by = 'pending'
),

looked_at AS (
    SELECT
        w.*,
        CASE b.strategy
            WHEN 'circular'
                THEN t.n_right + t.n_pending >= required_passes(t.n_answered, t.n_expected)
            WHEN 'vanilla' THEN w.pass = 0
            ELSE TRUE
        END AS is_alive,
        b.strategy <> 'circular' OR w.place = 1 AS is_in_line
    FROM waiting AS w
    INNER JOIN question_count AS t USING (run_id, question_id, sample, judge, judge_sample)
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
)

SELECT
    run_id, question_id, question_key, pass, sample, judge_id, judge, 'choice_extraction' AS task,
    judge_sample, n_unusable AS attempt, subject_hash, prediction, is_alive,
    is_alive AND is_in_line AS is_next
FROM looked_at
UNION ALL
SELECT
    run_id, question_id, question_key, pass, sample, judge_id, judge, task, judge_sample,
    n_unusable AS attempt, subject_hash, prediction, TRUE AS is_alive, TRUE AS is_next
FROM open_judged
WHERE resolved_by = 'pending' AND n_unusable < max_attempts
UNION ALL
SELECT *, TRUE AS is_alive, TRUE AS is_next
FROM rule_need
