-- Where each model stands over the columns of a board: the datasets that it has a score on, each
-- under one judge. One row per model and judge.
-- @n_columns Datasets with a score.
-- @mean_rank Mean of its ranks, ties sharing the best one.
-- @win_rate Mean over the datasets of the share of other models that it is better than, ties
--   counting half; NULL: it is alone everywhere.
-- @mean_score Mean of its scores.
WITH columns_ AS (
    SELECT
        dataset_id, judge, model, score,
        rank() OVER (PARTITION BY dataset_id, judge ORDER BY round(score, 12) DESC) AS place,
        count(*) OVER (PARTITION BY dataset_id, judge) AS n_models,
        count(*) OVER (PARTITION BY dataset_id, judge, round(score, 12)) AS n_equal
    FROM board_column
    WHERE ability_id = 0
)

SELECT
    model, judge, count(*) AS n_columns, avg(1e0 * place) AS mean_rank,
    avg((n_models - place - (n_equal - 1) + (n_equal - 1) / 2e0) / nullif(n_models - 1, 0)) AS win_rate,
    avg(score) AS mean_score
FROM columns_
GROUP BY model, judge
