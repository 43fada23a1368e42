-- ability_score with ranks. Ranks are by the exact score (to 12 decimals), ties share a rank, and
-- what has no score has no rank. One row per run, strategy, judge, level, ability and average.
-- @hook Gets ability_score; must keep its rows and columns, with ranks.
-- @rank Among all runs of the same dataset, strategy, judge, ability and average.
-- @rank_latest The same among each model's latest run only; NULL for the other runs.
SELECT
    *,
    CASE
        WHEN score IS NOT NULL
            THEN rank() OVER (
                PARTITION BY dataset_id, strategy, judge, ability_id, average
                ORDER BY round(score, 12) DESC NULLS LAST
            )
    END AS rank,
    CASE
        WHEN score IS NOT NULL AND is_latest
            THEN rank() OVER (
                PARTITION BY dataset_id, strategy, judge, ability_id, average, is_latest
                ORDER BY round(score, 12) DESC NULLS LAST
            )
    END AS rank_latest
FROM ability_score
