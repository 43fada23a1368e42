-- MM-Vet, Section 4.2: in how many capabilities and integrations each model is the best. A tie
-- counts for every one of its winners. One row per run, judge, subset and level.
-- @n_best Abilities in which no model's latest run has more.
-- @n Abilities of the level that have questions in the subset.
-- @coverage Questions that were answered, in percent of all.
WITH with_overall AS (
    SELECT
        *,
        max(CASE WHEN level = 'overall' THEN coverage END) OVER (
            PARTITION BY run_id, judge, subset
        ) AS overall_coverage
    FROM mmvet_cell
)

SELECT
    dataset, judge, subset, level, run_id, model,
    CAST(sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS BIGINT) AS n_best, count(*) AS n,
    overall_coverage AS coverage
FROM with_overall
WHERE level <> 'overall'
GROUP BY dataset, judge, subset, level, run_id, model, overall_coverage
