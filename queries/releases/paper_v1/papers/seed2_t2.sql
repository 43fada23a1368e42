-- SEED-Bench-2, Table 2: the mean over dimensions and the rank at each capability level. One row
-- per run and judge.
-- @llm Its language model; NULL: not stated.
-- @l1 L1 (single and multiple images and videos, dimensions 1 to 22): the mean over its dimensions,
--   in percent; NULL: not reached, or pending.
-- @l1_rank Its rank by that; ties share.
-- @part_2 Part-2 (interleaved images and text, dimensions 23 and 24): the mean over its dimensions,
--   in percent; NULL: not reached, or pending.
-- @part_2_rank Its rank by that; ties share.
-- @l2 L2 (dimensions 1 to 24): the mean over its dimensions, in percent; NULL: not reached, or
--   pending.
-- @l2_rank Its rank by that; ties share.
-- @part_3 Part-3 (generation of images and of text, dimensions 25 to 27): the mean over its
--   dimensions, in percent; NULL: not reached, or pending.
-- @part_3_rank Its rank by that; ties share.
-- @l3 L3 (all 27 dimensions): the mean over its dimensions, in percent; NULL: not reached, or
--   pending.
-- @l3_rank Its rank by that; ties share.
-- @is_ranked Whether its choices were ranked, rather than a choice generated.
-- @coverage Questions that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id, model, model_id, dataset, judge, is_ranked,
        max(CASE WHEN level = 'capability_level' AND ability = 'L1' THEN percent END) AS l1,
        max(CASE WHEN level = 'capability_level' AND ability = 'L1' THEN place END) AS l1_rank,
        max(CASE WHEN level = 'part' AND ability = 'Part-2' THEN percent END) AS part_2,
        max(CASE WHEN level = 'part' AND ability = 'Part-2' THEN place END) AS part_2_rank,
        max(CASE WHEN level = 'capability_level' AND ability = 'L2' THEN percent END) AS l2,
        max(CASE WHEN level = 'capability_level' AND ability = 'L2' THEN place END) AS l2_rank,
        max(CASE WHEN level = 'part' AND ability = 'Part-3' THEN percent END) AS part_3,
        max(CASE WHEN level = 'part' AND ability = 'Part-3' THEN place END) AS part_3_rank,
        max(CASE WHEN level = 'capability_level' AND ability = 'L3' THEN percent END) AS l3,
        max(CASE WHEN level = 'capability_level' AND ability = 'L3' THEN place END) AS l3_rank,
        max(CASE WHEN level = 'overall' THEN coverage END) AS coverage
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench-2' AND level IN ('overall', 'part', 'capability_level')
    GROUP BY run_id, model, model_id, dataset, judge, is_ranked
)

SELECT
    a.dataset, a.judge, a.run_id, a.model, m.language_backbone AS llm, a.l1, a.l1_rank, a.part_2,
    a.part_2_rank, a.l2, a.l2_rank, a.part_3, a.part_3_rank, a.l3, a.l3_rank, a.coverage,
    a.is_ranked
FROM across AS a
INNER JOIN current_model AS m USING (model_id)
