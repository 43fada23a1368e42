-- Soft scores of open questions, averaged over samples and over the judge samples that count (see
-- graded_sample). One row per run, question and judge; every question of the dataset has its rows.
-- @n_passes Samples with an answer.
-- @n_expected Samples.
-- @n_missing Samples without an answer.
-- @n_pending Samples, over all judge samples, without a usable reply yet.
SELECT
    o.run_id, o.question_id, o.judge,
    avg(CASE WHEN o.resolved_by = 'pending' THEN 0.0 ELSE o.score END) AS score_low,
    avg(CASE WHEN o.resolved_by = 'pending' THEN 1.0 ELSE o.score END) AS score_high,
    sum(CASE WHEN g.is_first AND o.resolved_by <> 'missing' THEN 1 ELSE 0 END) AS n_passes,
    sum(CASE WHEN g.is_first THEN 1 ELSE 0 END) AS n_expected,
    sum(CASE WHEN g.is_first AND o.resolved_by = 'missing' THEN 1 ELSE 0 END) AS n_missing,
    sum(CASE WHEN o.resolved_by = 'pending' THEN 1 ELSE 0 END) AS n_pending
FROM pass_result AS o
INNER JOIN graded_sample AS g USING (run_id, judge, judge_sample)
WHERE o.task = 'open'
GROUP BY o.run_id, o.question_id, o.judge
