-- How often a ranking was a tie or no pick, and how far the pick depends on the reduction. One row
-- per run with choice scores, and component.
-- @n Answers with at least one score.
-- @n_incomplete Those that lack the score of a choice: no pick.
-- @n_tied Picks that share their score; the first label counts.
-- @n_differ Picks that are others under the other reduction.
SELECT
    run_id, model, dataset, method, reduction, scored, component, count(*) AS n,
    CAST(sum(CASE WHEN picked IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS n_incomplete,
    CAST(sum(CASE WHEN picked IS NOT NULL AND n_best > 1 THEN 1 ELSE 0 END) AS BIGINT) AS n_tied,
    CAST(sum(CASE WHEN is_same THEN 0 WHEN NOT is_same THEN 1 ELSE 0 END) AS BIGINT) AS n_differ
FROM choice_ranking
GROUP BY run_id, model, dataset, method, reduction, scored, component
