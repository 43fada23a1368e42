-- MM-Vet, Table 4: scores by integration of capabilities. One row per run and judge, over the whole
-- dataset.
-- @rec_know_gen Recognition, knowledge and language generation, in percent; NULL: no question needs
--   it, or pending.
-- @rec Recognition alone, in percent; NULL: no question needs it, or pending.
-- @ocr_spat OCR and spatial awareness, in percent; NULL: no question needs it, or pending.
-- @ocr_spat_math OCR, spatial awareness and math, in percent; NULL: no question needs it, or
--   pending.
-- @rec_spat Recognition and spatial awareness, in percent; NULL: no question needs it, or pending.
-- @ocr OCR alone, in percent; NULL: no question needs it, or pending.
-- @ocr_math OCR and math, in percent; NULL: no question needs it, or pending.
-- @rec_know Recognition and knowledge, in percent; NULL: no question needs it, or pending.
-- @rec_ocr_know_gen Recognition, OCR, knowledge and language generation, in percent; NULL: no
--   question needs it, or pending.
-- @rec_ocr_gen_spat Recognition, OCR, language generation and spatial awareness, in percent; NULL:
--   no question needs it, or pending.
-- @rec_ocr_spat Recognition, OCR and spatial awareness, in percent; NULL: no question needs it, or
--   pending.
-- @rec_ocr Recognition and OCR, in percent; NULL: no question needs it, or pending.
-- @ocr_know_spat OCR, knowledge and spatial awareness, in percent; NULL: no question needs it, or
--   pending.
-- @rec_know_spat Recognition, knowledge and spatial awareness, in percent; NULL: no question needs
--   it, or pending.
-- @ocr_gen_spat OCR, language generation and spatial awareness, in percent; NULL: no question needs
--   it, or pending.
-- @rec_ocr_spat_math Recognition, OCR, spatial awareness and math, in percent; NULL: no question
--   needs it, or pending.
-- @total All questions that were answered, in percent.
-- @spread The ±: population standard deviation of the totals of the judge's samples, in percentage
--   points.
-- @coverage Questions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id,
        model,
        dataset,
        subset,
        judge,
        max(CASE WHEN level = 'integration' AND ability = 'gen_know_rec' THEN percent END) AS rec_know_gen,
        max(CASE WHEN level = 'integration' AND ability = 'rec' THEN percent END) AS rec,
        max(CASE WHEN level = 'integration' AND ability = 'ocr_spat' THEN percent END) AS ocr_spat,
        max(CASE WHEN level = 'integration' AND ability = 'math_ocr_spat' THEN percent END) AS ocr_spat_math,
        max(CASE WHEN level = 'integration' AND ability = 'rec_spat' THEN percent END) AS rec_spat,
        max(CASE WHEN level = 'integration' AND ability = 'ocr' THEN percent END) AS ocr,
        max(CASE WHEN level = 'integration' AND ability = 'math_ocr' THEN percent END) AS ocr_math,
        max(CASE WHEN level = 'integration' AND ability = 'know_rec' THEN percent END) AS rec_know,
        max(CASE WHEN level = 'integration' AND ability = 'gen_know_ocr_rec' THEN percent END) AS rec_ocr_know_gen,
        max(CASE WHEN level = 'integration' AND ability = 'gen_ocr_rec_spat' THEN percent END) AS rec_ocr_gen_spat,
        max(CASE WHEN level = 'integration' AND ability = 'ocr_rec_spat' THEN percent END) AS rec_ocr_spat,
        max(CASE WHEN level = 'integration' AND ability = 'ocr_rec' THEN percent END) AS rec_ocr,
        max(CASE WHEN level = 'integration' AND ability = 'know_ocr_spat' THEN percent END) AS ocr_know_spat,
        max(CASE WHEN level = 'integration' AND ability = 'know_rec_spat' THEN percent END) AS rec_know_spat,
        max(CASE WHEN level = 'integration' AND ability = 'gen_ocr_spat' THEN percent END) AS ocr_gen_spat,
        max(CASE WHEN level = 'integration' AND ability = 'math_ocr_rec_spat' THEN percent END) AS rec_ocr_spat_math,
        max(CASE WHEN level = 'overall' THEN percent END) AS total,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM mmvet_cell
    WHERE subset = 'all' AND level IN ('overall', 'integration')
    GROUP BY run_id, model, dataset, subset, judge
)

SELECT
    a.dataset,
    a.judge,
    a.run_id,
    a.model,
    a.rec_know_gen,
    a.rec,
    a.ocr_spat,
    a.ocr_spat_math,
    a.rec_spat,
    a.ocr,
    a.ocr_math,
    a.rec_know,
    a.rec_ocr_know_gen,
    a.rec_ocr_gen_spat,
    a.rec_ocr_spat,
    a.rec_ocr,
    a.ocr_know_spat,
    a.rec_know_spat,
    a.ocr_gen_spat,
    a.rec_ocr_spat_math,
    a.total,
    s.spread,
    a.coverage
FROM across AS a
INNER JOIN mmvet_spread AS s
    ON a.run_id = s.run_id AND a.judge = s.judge AND a.subset = s.subset
