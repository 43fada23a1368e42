-- How a judge's samples of the same subject differ. One row per judge and subject with at least two
-- usable samples.
-- @n_samples Judge samples with a usable verdict.
-- @lowest The lowest score; NULL: the task is choice_extraction.
-- @highest The highest score; NULL: the task is choice_extraction.
-- @spread highest less lowest; NULL: the task is choice_extraction.
-- @stddev The population standard deviation of the scores; NULL: the task is choice_extraction.
-- @changes Whether the samples differ: in score, or in label.
SELECT
    judge_id, judge, task, subject_hash, count(*) AS n_samples, min(verdict_score) AS lowest,
    max(verdict_score) AS highest, max(verdict_score) - min(verdict_score) AS spread,
    stddev_pop(verdict_score) AS stddev,
    CASE
        WHEN task = 'choice_extraction' THEN count(DISTINCT verdict) > 1
        ELSE min(verdict_score) < max(verdict_score)
    END AS changes
FROM shared_verdict
WHERE state = 'ok'
GROUP BY judge_id, judge, task, subject_hash
HAVING count(*) > 1
