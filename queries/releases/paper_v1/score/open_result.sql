-- Every open question of a dataset, answered or not, under each judge that gives soft scores. One
-- row per run, question, sample, judge and judge sample.
-- @score The soft score; 0 where there is nothing to grade; NULL while pending.
-- @resolved_by graded, pending, unresolved (blank) or missing.
WITH absent AS (
    SELECT r.run_id, q.question_id, CAST(0 AS SMALLINT) AS pass, s.sample
    FROM current_run AS r
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.run_sample AS s USING (run_id)
    LEFT JOIN open_answer AS a USING (run_id, question_id, sample)
    WHERE r.task = 'open' AND a.run_id IS NULL
),

ungraded AS (
    SELECT
        run_id, question_id, pass, sample,
        CASE state WHEN 'blank' THEN 'unresolved' ELSE 'missing' END AS resolved_by
    FROM open_answer
    WHERE state <> 'open'
    UNION ALL
    SELECT *, 'missing' AS resolved_by
    FROM absent
)

SELECT
    run_id, question_id, pass, sample, judge_id, judge, judge_sample, is_first,
    verdict_score AS score, resolved_by
FROM open_judged
WHERE task = 'soft_score'
UNION ALL
SELECT
    u.run_id, u.question_id, u.pass, u.sample, j.judge_id, j.judge, j.judge_sample, j.is_first,
    CAST(0 AS DOUBLE) AS score, u.resolved_by
FROM ungraded AS u
INNER JOIN judge_scope AS j ON j.task = 'soft_score'
