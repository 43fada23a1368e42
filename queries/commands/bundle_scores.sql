-- The named figures of every run, or of each model's latest.
SELECT
    benchmark, model, run, dataset, judge, strategy, figure, level, ability, score, score_low,
    score_high, n, n_answered, n_missing, n_pending, n_unread
FROM benchmark_score
WHERE is_latest OR $all_runs
ORDER BY benchmark, dataset, model, run, judge, figure_ordinal, ability_ordinal, level, ability
