-- SEED-Bench-2, Section 4.3: what is lost from level L1 to L2, which adds interleaved images and
-- text. One row per run and judge, of the models that reach L2.
-- @l1 L1 (dimensions 1 to 22): the mean over its dimensions, in percent; NULL while pending.
-- @part_2 Part-2 (dimensions 23 and 24), in the same way.
-- @l2 L2 (dimensions 1 to 24), in the same way.
-- @gap l2 less l1, in percentage points.
-- @part_gap part_2 less l1, in percentage points.
-- @coverage Questions of L2 that were answered, in percent of all.
WITH across AS (
    SELECT
        run_id, model, dataset, judge, max(CASE WHEN ability = 'L1' THEN percent END) AS l1,
        max(CASE WHEN ability = 'Part-2' THEN percent END) AS part_2,
        max(CASE WHEN ability = 'L2' THEN percent END) AS l2,
        max(CASE WHEN ability = 'L2' THEN coverage END) AS coverage,
        max(CASE WHEN ability = 'L2' AND is_reached THEN 1 ELSE 0 END) AS reaches_l2
    FROM seed_cell
    WHERE benchmark = 'SEED-Bench-2' AND level IN ('part', 'capability_level')
    GROUP BY run_id, model, dataset, judge
)

SELECT
    dataset, judge, run_id, model, l1, part_2, l2, l2 - l1 AS gap, part_2 - l1 AS part_gap, coverage
FROM across
WHERE reaches_l2 = 1
