-- MM-Vet, Table 5: scores by capability on a subset, such as the Bard set. One row per run, judge
-- and subset.
-- @rec Recognition, in percent; NULL: no question needs it, or pending.
-- @ocr OCR, in percent; NULL: no question needs it, or pending.
-- @know Knowledge, in percent; NULL: no question needs it, or pending.
-- @gen Language generation, in percent; NULL: no question needs it, or pending.
-- @spat Spatial awareness, in percent; NULL: no question needs it, or pending.
-- @math Math, in percent; NULL: no question needs it, or pending.
-- @total All questions that were answered, in percent.
-- @spread The ±: population standard deviation of the totals of the judge's samples, in percentage
--   points.
-- @coverage Questions that were answered, in percent of all.
-- @subset The subset's name.
WITH across AS (
    SELECT
        run_id,
        model,
        dataset,
        subset,
        judge,
        max(CASE WHEN level = 'capability' AND ability = 'Recognition' THEN percent END) AS rec,
        max(CASE WHEN level = 'capability' AND ability = 'OCR' THEN percent END) AS ocr,
        max(CASE WHEN level = 'capability' AND ability = 'Knowledge' THEN percent END) AS know,
        max(CASE WHEN level = 'capability' AND ability = 'Language generation' THEN percent END) AS gen,
        max(CASE WHEN level = 'capability' AND ability = 'Spatial awareness' THEN percent END) AS spat,
        max(CASE WHEN level = 'capability' AND ability = 'Math' THEN percent END) AS math,
        max(CASE WHEN level = 'overall' THEN percent END) AS total,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM mmvet_cell
    WHERE subset <> 'all' AND level IN ('overall', 'capability')
    GROUP BY run_id, model, dataset, subset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.subset,
    a.run_id,
    a.model,
    a.rec,
    a.ocr,
    a.know,
    a.gen,
    a.spat,
    a.math,
    a.total,
    s.spread,
    a.coverage
FROM across AS a
INNER JOIN mmvet_spread AS s
    ON a.run_id = s.run_id AND a.judge = s.judge AND a.subset = s.subset
