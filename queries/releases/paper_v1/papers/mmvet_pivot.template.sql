-- {comment}
-- @{abilities.name} {abilities.meaning}, in percent; NULL: no question needs it, or pending.
-- @total All questions that were answered, in percent.
-- @spread The ±: population standard deviation of the totals of the judge's samples, in percentage
--   points.
-- @coverage Questions that were answered, in percent of all.
-- @{further.name} {further.meaning}
WITH across AS (
    SELECT
        run_id,
        model,
        dataset,
        subset,
        judge,
        max(CASE WHEN level = '{level}' AND ability = '{abilities.of}' THEN percent END) AS {abilities.name},
        max(CASE WHEN level = 'overall' THEN percent END) AS total,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM mmvet_cell
    WHERE {condition} AND level IN ('overall', '{level}')
    GROUP BY run_id, model, dataset, subset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.{further.name},
    a.run_id,
    a.model,
    a.{abilities.name},
    a.total,
    s.spread,
    a.coverage
FROM across AS a
INNER JOIN mmvet_spread AS s
    ON a.run_id = s.run_id AND a.judge = s.judge AND a.subset = s.subset
