-- The questions of runs as the benchmark's own strategy scores them under judges, and which of them
-- the judge decides: those with an answer that no rule reads, unless what rules read decides the
-- question already, as a wrong pass does under circular. As question_result has them, which
-- computes every strategy and cannot tell the latter; from one reading of pass_result. One row per
-- run, question and judge, of benchmarks under vanilla, circular and graded.
-- @internal
-- @judge_score The question's score under the judge; NULL: a verdict is pending, or an answer
--   hidden.
-- @n_open Answers to it that no rule reads and that its score rests on, by the judge's first
--   sample; 0: its score needs no judge.
-- @n_said Those that the judge has a verdict on.
-- Answers in parts count as passes do: right where every part is.
WITH counted AS (
    SELECT
        p.run_id, p.question_id, p.sample, p.judge, p.judge_sample, p.task, b.strategy,
        count(*) AS n_expected,
        count(CASE WHEN p.resolved_by <> 'missing' THEN 1 END) AS n_answered,
        count(CASE WHEN p.resolved_by = 'pending' THEN 1 END) AS n_pending,
        count(CASE WHEN p.resolved_by IN ('judge', 'graded', 'random', 'pending') THEN 1 END) AS n_open,
        count(CASE WHEN p.resolved_by IN ('judge', 'graded') THEN 1 END) AS n_said,
        count(CASE WHEN p.score = 1.0 THEN 1 END) AS n_right,
        count(
            CASE
                WHEN p.score = 1.0 AND p.resolved_by NOT IN ('judge', 'graded', 'random', 'pending') THEN 1
            END
        ) AS n_ruled_right,
        count(CASE WHEN p.score IS NULL AND p.resolved_by <> 'pending' THEN 1 END) AS n_hidden,
        avg(p.score) AS mean,
        count(CASE WHEN p.resolved_by <> 'missing' AND p.pass = 0 THEN 1 END) AS first_answered
    FROM pass_result AS p
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE p.judge <> 'none' AND (b.strategy IN ('circular', 'graded') OR (b.strategy = 'vanilla' AND p.pass = 0))
    GROUP BY p.run_id, p.question_id, p.sample, p.judge, p.judge_sample, p.task, b.strategy
),

-- The judge samples that count, as graded_sample has them: of soft scores those with a grade.
sampled AS (
    SELECT
        run_id, judge, judge_sample, task, sum(n_said) AS n_graded,
        min(judge_sample) OVER (PARTITION BY run_id, judge, task) AS first_sample,
        sum(sum(n_said)) OVER (PARTITION BY run_id, judge, task) AS n_of_judge
    FROM counted
    GROUP BY run_id, judge, judge_sample, task
),

scored AS (
    SELECT
        c.*,
        CASE
            WHEN c.task <> 'choice' THEN CASE WHEN c.n_pending + c.n_hidden = 0 THEN c.mean END
            WHEN
                strategy_pending(
                    c.strategy, c.n_right, c.n_pending, required_passes(c.n_answered, c.n_expected), c.n_hidden
                ) = 0
                THEN strategy_score(
                    c.strategy, c.n_right, required_passes(c.n_answered, c.n_expected), c.n_expected, c.n_hidden
                )
        END AS score,
        CASE
            WHEN
                c.task <> 'choice'
                OR strategy_pending(
                    c.strategy, c.n_ruled_right, c.n_open, required_passes(c.n_answered, c.n_expected), c.n_hidden
                ) > 0
                THEN c.judge_sample = d.first_sample
            ELSE FALSE
        END AS is_asked,
        d.first_sample
    FROM counted AS c
    INNER JOIN sampled AS d USING (run_id, judge, judge_sample, task)
    WHERE c.task <> 'open' OR d.n_graded > 0 OR (d.n_of_judge = 0 AND c.judge_sample = d.first_sample)
)

SELECT
    s.run_id, r.model, r.run, r.dataset_id, r.benchmark_id, s.question_id, q.question_key,
    s.strategy, g.judge_id, s.judge, g.kind, g.task,
    CASE WHEN count(s.score) = count(*) THEN avg(s.score) END AS judge_score,
    CAST(sum(CASE WHEN s.is_asked THEN s.n_open ELSE 0 END) AS BIGINT) AS n_open,
    CAST(sum(CASE WHEN s.is_asked THEN s.n_said ELSE 0 END) AS BIGINT) AS n_said
FROM scored AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.judge AS g ON s.judge = g.name
INNER JOIN main.question AS q USING (question_id)
GROUP BY
    s.run_id, r.model, r.run, r.dataset_id, r.benchmark_id, s.question_id, q.question_key,
    s.strategy, g.judge_id, s.judge, g.kind, g.task
HAVING is_counted(max(s.first_answered))
