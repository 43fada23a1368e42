-- The questions of runs as the benchmark's own strategy scores them under judges, and which of them the
-- judge decides: those with an answer that no rule reads. One row per run, question and judge, of
-- benchmarks under vanilla, circular and graded.
-- @internal
-- @judge_score The question's score under the judge; NULL: a verdict is pending.
-- @n_open Answers to it that no rule reads; 0: its score needs no judge.
WITH opened AS (
    SELECT
        c.run_id,
        c.question_id,
        c.judge_id,
        count(*) AS n_open,
        sum(CASE WHEN c.has_verdict THEN 1 ELSE 0 END) AS n_said
    FROM judged_content AS c
    INNER JOIN current_run AS r ON c.run_id = r.run_id
    INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
    WHERE b.strategy <> 'vanilla' OR c.pass = 0
    GROUP BY c.run_id, c.question_id, c.judge_id
)

SELECT
    q.run_id,
    r.model,
    r.run,
    r.dataset_id,
    r.benchmark_id,
    q.question_id,
    q.question_key,
    q.strategy,
    g.judge_id,
    q.judge,
    g.kind,
    g.task,
    q.score AS judge_score,
    coalesce(o.n_open, 0) AS n_open,
    CAST(coalesce(o.n_said, 0) AS BIGINT) AS n_said
FROM question_result AS q
INNER JOIN current_run AS r ON q.run_id = r.run_id
INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id AND q.strategy = b.strategy
INNER JOIN main.judge AS g ON q.judge = g.name
LEFT JOIN opened AS o
    ON q.run_id = o.run_id AND q.question_id = o.question_id AND g.judge_id = o.judge_id
WHERE q.n_expected > 0 AND q.counted AND b.strategy <> 'vanilla_all'
