-- The questions of runs under a judge, with what a person says of those that a plan drew
-- (main.label_plan); without a plan, of those that the person happened to label. A question counts
-- as labelled when all of its answers that no rule reads are. One row per run, question, judge and
-- person of the same task, of benchmarks of which the person has labelled a question.
-- @internal
-- @person The person's name as a judge.
-- @judge_score The question's score under the judge; NULL: a verdict is pending.
-- @person_score Its score under the person; NULL: not drawn, or not labelled as a whole.
-- @is_judged Whether an answer to it is decided by the judge.
-- @stratum The plan's; all without a plan; unplanned for what came after the plan; NULL: not
--   judged.
-- @chance The chance with which it was drawn; 1 without a plan.
WITH judged AS (
    SELECT *
    FROM judged_question
),

planned AS (
    SELECT judge_id, benchmark_id, max(plan_id) AS plan_id
    FROM main.label_plan
    GROUP BY judge_id, benchmark_id
),

said AS (
    SELECT run_id, question_id, benchmark_id, judge AS person, task, judge_score AS person_score
    FROM judged
    WHERE kind = 'human' AND n_open > 0 AND n_said = n_open
),

labelling AS (
    SELECT DISTINCT benchmark_id, person, task
    FROM said
)

SELECT
    q.run_id, q.model, q.run, q.dataset_id, q.benchmark_id, q.question_id, q.strategy, q.judge,
    l.person, q.task, q.judge_score,
    CASE WHEN p.plan_id IS NULL OR u.is_drawn THEN s.person_score END AS person_score,
    q.n_open > 0 AS is_judged,
    CASE
        WHEN q.n_open = 0 THEN NULL
        WHEN p.plan_id IS NULL THEN 'all'
        ELSE coalesce(u.stratum, 'unplanned')
    END AS stratum,
    CASE WHEN q.n_open > 0 THEN coalesce(u.chance, 1.0) END AS chance
FROM judged AS q
INNER JOIN labelling AS l USING (benchmark_id, task)
LEFT JOIN planned AS p USING (judge_id, benchmark_id)
LEFT JOIN main.label_unit AS u
    ON p.plan_id = u.plan_id AND q.run_id = u.run_id AND q.question_id = u.question_id
LEFT JOIN said AS s
    ON q.run_id = s.run_id AND q.question_id = s.question_id AND l.person = s.person AND q.task = s.task
WHERE q.kind <> 'human'
