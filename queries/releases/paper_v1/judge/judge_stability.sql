-- How steady each judge is over its samples (see subject_stability). One row per judge with a
-- subject that was judged twice.
-- @n_subjects Subjects with at least two usable samples.
-- @n_samples The most usable samples of a subject.
-- @mean_spread Mean distance of a subject's highest and lowest score; NULL: the task is
--   choice_extraction.
-- @max_spread The largest such distance; NULL: the task is choice_extraction.
-- @mean_stddev Mean over subjects of the population standard deviation; NULL: the task is
--   choice_extraction.
-- @share_changed Share of the subjects of which the samples differ.
SELECT
    judge_id, judge, task, count(*) AS n_subjects, max(n_samples) AS n_samples,
    avg(spread) AS mean_spread, max(spread) AS max_spread, avg(stddev) AS mean_stddev,
    avg(CASE WHEN changes THEN 1.0 ELSE 0.0 END) AS share_changed
FROM subject_stability
GROUP BY judge_id, judge, task
