-- leaderboard, and the same over each subset of a dataset. Ranks are by the exact score (to 12
-- decimals), ties share a rank, and what has no score has no rank. One row per run, subset,
-- strategy, judge, level, ability and average.
-- @rank Among all runs of the same dataset, subset, strategy, judge, ability and average.
-- @rank_latest The same among each model's latest run only; NULL for the other runs.
SELECT
    run_id, benchmark, dataset, version, split, language, model, run, dataset_id, is_latest, method,
    'all' AS subset, strategy, judge, level, ability, abbreviation, ability_ordinal, ability_id,
    parent_id, average, is_reached, n, n_answered, points, score, score_answered, score_low,
    score_high, stderr, n_pending, n_fallback, n_missing, n_hidden, weight, answered_weight,
    weighted_points, rank, rank_latest
FROM leaderboard
UNION ALL
SELECT
    *,
    CASE
        WHEN score IS NOT NULL
            THEN rank() OVER (
                PARTITION BY dataset_id, subset, strategy, judge, ability_id, average
                ORDER BY round(score, 12) DESC NULLS LAST
            )
    END AS rank,
    CASE
        WHEN score IS NOT NULL AND is_latest
            THEN rank() OVER (
                PARTITION BY dataset_id, subset, strategy, judge, ability_id, average, is_latest
                ORDER BY round(score, 12) DESC NULLS LAST
            )
    END AS rank_latest
FROM subset_score
WHERE subset <> 'all'
