-- What each judge sample adds up to over whole datasets (subset_sample_total), from which MM-Vet's
-- ± is computed. One row per run, judge, judge sample, level and ability, for judges that give soft
-- scores on open benchmarks, and the judge samples that count for the run (see graded_sample).
-- @n Questions of the dataset that count for the ability.
-- @n_pending Answers without a usable reply yet.
-- @n_missing Samples without an answer; they score 0.
-- @total 100 times the score, not rounded; NULL while pending.
SELECT * EXCLUDE (subset)
FROM subset_sample_total
WHERE subset = 'all'
