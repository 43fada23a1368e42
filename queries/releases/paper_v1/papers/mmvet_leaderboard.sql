-- MM-Vet, leaderboard: the capabilities and the total, with what the judge's samples add up to. One
-- row per run, judge and subset.
-- @rec Recognition, in percent; NULL: no question needs it, or pending.
-- @ocr OCR, in percent; NULL: no question needs it, or pending.
-- @know Knowledge, in percent; NULL: no question needs it, or pending.
-- @gen Language generation, in percent; NULL: no question needs it, or pending.
-- @spat Spatial awareness, in percent; NULL: no question needs it, or pending.
-- @math Math, in percent; NULL: no question needs it, or pending.
-- @total All questions that were answered, in percent.
-- @spread The ±: population standard deviation of the totals of the judge's samples, in percentage
--   points.
-- @rank By total (to 12 decimals), among each model's latest run of the dataset under the judge and
--   in the subset; ties share.
-- @low The lowest total of a judge sample, in percent.
-- @high The highest total of a judge sample, in percent.
-- @n_samples Judge samples that count for the run.
-- @coverage Questions that were answered, in percent of all.
-- @subset The subset's name; all for the whole dataset.
WITH across AS (
    SELECT
        run_id, model, dataset, subset, judge,
        max(CASE WHEN level = 'capability' AND ability = 'Recognition' THEN percent END) AS rec,
        max(CASE WHEN level = 'capability' AND ability = 'OCR' THEN percent END) AS ocr,
        max(CASE WHEN level = 'capability' AND ability = 'Knowledge' THEN percent END) AS know,
        max(CASE WHEN level = 'capability' AND ability = 'Language generation' THEN percent END) AS gen,
        max(CASE WHEN level = 'capability' AND ability = 'Spatial awareness' THEN percent END) AS spat,
        max(CASE WHEN level = 'capability' AND ability = 'Math' THEN percent END) AS math,
        max(CASE WHEN level = 'overall' THEN percent END) AS total,
        max(CASE WHEN level = 'overall' THEN place END) AS rank,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM mmvet_cell
    WHERE level IN ('overall', 'capability')
    GROUP BY run_id, model, dataset, subset, judge
)

SELECT
    a.dataset, a.judge, a.subset, a.run_id, a.rank, a.model, a.rec, a.ocr, a.know, a.gen, a.spat,
    a.math, a.total, s.spread, s.low, s.high, s.n_samples, a.coverage
FROM across AS a
INNER JOIN mmvet_spread AS s USING (run_id, judge, subset)
