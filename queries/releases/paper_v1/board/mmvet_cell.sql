-- What MM-Vet's tables are filled with: each model's latest run, in percent of the questions that
-- it answered, over the whole dataset and over each of its subsets. One row per run, judge, subset
-- and ability, Overall included.
-- @internal
-- @percent The mean score over the questions without a missing answer, in percent; NULL while
--   pending.
-- @coverage Questions without a missing answer, in percent of all.
-- @place Its rank among the models by the mean score (to 12 decimals), ties share; NULL: no score.
-- @n Questions of the subset that count for the ability.
WITH filled AS (
    SELECT
        run_id, model, dataset, dataset_id, subset, judge, level, ability, abbreviation,
        ability_ordinal, ability_id, n, n_answered, 100 * score_answered AS percent,
        100 * CAST(n_answered AS DOUBLE) / n AS coverage
    FROM subset_score
    WHERE benchmark = 'MM-Vet' AND strategy = 'graded' AND average = 'micro' AND is_latest
)

SELECT
    *,
    CASE
        WHEN percent IS NOT NULL
            THEN rank() OVER (
                PARTITION BY dataset_id, subset, judge, ability_id
                ORDER BY round(percent, 12) DESC NULLS LAST
            )
    END AS place
FROM filled
