-- MM-Vet, Section 4.2: in how many capabilities and integrations each model is the best. A tie counts for every one of its winners. One row per run, judge, subset and level.
-- @n_best Abilities in which no model's latest run has more.
-- @n Abilities of the level that have questions in the subset.
-- @coverage Questions that were answered, in percent of all.
WITH won AS (
    SELECT
        dataset,
        judge,
        subset,
        level,
        run_id,
        model,
        CAST(sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS BIGINT) AS n_best,
        count(*) AS n
    FROM mmvet_cell
    WHERE level <> 'overall'
    GROUP BY dataset, judge, subset, level, run_id, model
)

SELECT
    w.dataset,
    w.judge,
    w.subset,
    w.level,
    w.run_id,
    w.model,
    w.n_best,
    w.n,
    o.coverage
FROM won AS w
INNER JOIN mmvet_cell AS o
    ON w.run_id = o.run_id AND w.judge = o.judge AND w.subset = o.subset AND o.level = 'overall'
