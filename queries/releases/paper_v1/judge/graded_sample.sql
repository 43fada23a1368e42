-- The judge samples that a run's graded scores rest on: those with at least one graded answer, or
-- else the judge's first. One row per run, judge and judge sample that counts.
-- @n_graded Graded answers in it.
-- @n_judge_samples How many judge samples count for the run.
-- @is_first Whether it is the first that counts for the run.
WITH graded AS (
    SELECT
        p.run_id, j.judge_id, p.judge, p.judge_sample, j.is_first,
        sum(CASE WHEN p.resolved_by = 'graded' THEN 1 ELSE 0 END) AS n_graded
    FROM pass_result AS p
    INNER JOIN judge_scope AS j
        ON j.task = 'soft_score' AND p.judge = j.judge AND p.judge_sample = j.judge_sample
    WHERE p.task = 'open'
    GROUP BY p.run_id, j.judge_id, p.judge, p.judge_sample, j.is_first
),

known AS (
    SELECT *, sum(n_graded) OVER (PARTITION BY run_id, judge_id) AS n_of_judge
    FROM graded
)

SELECT
    run_id, judge_id, judge, judge_sample, CAST(n_graded AS BIGINT) AS n_graded,
    count(*) OVER (PARTITION BY run_id, judge_id) AS n_judge_samples,
    row_number() OVER (PARTITION BY run_id, judge_id ORDER BY judge_sample) = 1 AS is_first
FROM known
WHERE n_graded > 0 OR (n_of_judge = 0 AND is_first)
