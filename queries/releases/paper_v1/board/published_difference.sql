-- Published scores compared with ours, those of the model's latest run (MM-Vet's score files). One
-- row per published score, dataset of the benchmark and judge under which that run has a score; a
-- score without one of ours has one row with NULLs.
-- @dataset The dataset of the run; NULL: the model has no run with grades.
-- @run_id The model's latest run of the dataset; NULL: there is none with grades.
-- @judge The judge of our score; the published one may have had another.
-- @published In percent, as printed.
-- @published_spread The published standard deviation over judge samples, as printed; only Overall
--   has one.
-- @published_samples The published totals of the judge samples, as printed.
-- @total Ours: the mean of the totals of the judge samples, in percent; NULL while pending.
-- @spread Ours: the population standard deviation of those totals.
-- @n_judge_samples Judge samples of ours.
-- @difference Ours less the published one, in points.
-- @is_same Whether ours, rounded to as many digits, is what is printed; a tie may be rounded either
--   way.
-- @is_same_spread The same of the standard deviation.
SELECT *
FROM published_total
