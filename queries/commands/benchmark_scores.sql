-- The figures of whole datasets, of each model's latest run.
SELECT
    model,
    run,
    benchmark,
    dataset,
    version,
    split,
    language,
    judge,
    figure,
    figure_ordinal,
    score,
    score_low,
    score_high,
    n,
    n_answered,
    n_missing,
    n_pending,
    n_unread,
    benchmark IN (
        SELECT b.name
        FROM main.benchmark_rule AS r
        INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
        WHERE r.superseded_by IS NULL AND r.rule IN ('extracted', 'graded')
    ) AS needs_judge
FROM benchmark_score
WHERE is_latest AND ability = 'Overall'
ORDER BY benchmark, dataset, model, figure_ordinal, judge
