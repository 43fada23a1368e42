-- The verdicts of rules for answers in words (answer_match), averaged over samples and judge
-- samples. One row per run, question and judge; every question of such a rule has its rows.
-- @internal
SELECT
    run_id, question_id, judge,
    avg(CASE WHEN resolved_by = 'pending' THEN 0.0 ELSE score END) AS score_low,
    avg(CASE WHEN resolved_by = 'pending' THEN 1.0 ELSE score END) AS score_high,
    count(CASE WHEN judge_sample = 0 AND resolved_by <> 'missing' THEN 1 END) AS n_passes,
    count(CASE WHEN judge_sample = 0 THEN 1 END) AS n_expected,
    count(CASE WHEN judge_sample = 0 AND resolved_by = 'missing' THEN 1 END) AS n_missing,
    count(CASE WHEN resolved_by = 'pending' THEN 1 END) AS n_pending
FROM pass_result
WHERE task = 'rule'
GROUP BY run_id, question_id, judge
