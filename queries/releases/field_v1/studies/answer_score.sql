-- Each answer's score as the benchmark's own strategy has it: under circular 1 where every pass is
-- right, under vanilla_all the share of right passes, else pass 0. One row per run, question,
-- sample, judge and judge sample that counts for the run (graded_sample).
-- @internal
-- @predicted The label that pass 0 was taken for; NULL: none, one drawn by chance, or no question
--   of choices.
-- @answer The right label of pass 0; NULL: hidden, or no question of choices.
-- @last_pass The last pass that counts; 0: pass 0 alone.
-- @score NULL while a verdict is pending that could change it, or where an answer is hidden.
WITH scored AS (
    SELECT
        p.run_id, r.model, r.run, r.dataset, r.dataset_id, r.is_latest, p.question_id,
        p.question_key, p.sample, p.judge, p.judge_sample, b.strategy, p.task,
        count(CASE WHEN p.resolved_by = 'graded' THEN 1 END) AS n_graded,
        max(
            CASE WHEN p.pass = 0 AND p.component = 'answer' AND p.resolved_by <> 'random' THEN p.predicted END
        ) AS predicted,
        max(CASE WHEN p.pass = 0 AND p.component = 'answer' AND p.task = 'choice' THEN p.answer END) AS answer,
        max(p.pass) AS last_pass,
        CASE
            WHEN b.strategy = 'circular' AND min(p.score) = 0.0 THEN 0.0
            WHEN count(p.score) < count(*) THEN NULL
            WHEN b.strategy = 'vanilla_all' THEN avg(p.score)
            ELSE min(p.score)
        END AS score
    FROM pass_result AS p
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.strategy IN ('circular', 'vanilla_all') OR p.pass = 0
    GROUP BY
        p.run_id, r.model, r.run, r.dataset, r.dataset_id, r.is_latest, p.question_id,
        p.question_key, p.sample, p.judge, p.judge_sample, b.strategy, p.task
),

-- As graded_sample has them; from the same reading of pass_result.
graded AS (
    SELECT
        run_id, judge, judge_sample, sum(n_graded) AS n_graded,
        min(judge_sample) OVER (PARTITION BY run_id, judge) AS first_sample,
        sum(sum(n_graded)) OVER (PARTITION BY run_id, judge) AS n_of_judge
    FROM scored
    WHERE task = 'open'
    GROUP BY run_id, judge, judge_sample
)

SELECT
    s.run_id, s.model, s.run, s.dataset, s.dataset_id, s.is_latest, s.question_id, s.question_key,
    s.sample, s.judge, s.judge_sample, s.strategy, s.predicted, s.answer, s.last_pass, s.score
FROM scored AS s
LEFT JOIN graded AS g USING (run_id, judge, judge_sample)
WHERE s.task <> 'open' OR g.n_graded > 0 OR (g.n_of_judge = 0 AND s.judge_sample = g.first_sample)
