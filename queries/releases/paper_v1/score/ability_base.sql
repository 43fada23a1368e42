-- What a macro average is over: the abilities of the level below, or those of the level that the
-- benchmark's paper averages over (SEED-Bench-2: its dimensions, for every part and level). One row
-- per ability and ability it is averaged over.
-- @internal
-- @ability_id The ability that is averaged; 0 for Overall.
-- @base_id An ability that it is averaged over.
SELECT t.benchmark_id, t.parent_id AS ability_id, t.ability_id AS base_id
FROM ability_tree AS t
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE t.parent_id IS NOT NULL AND b.macro_level IS NULL
UNION ALL
SELECT a.benchmark_id, u.above_id AS ability_id, a.ability_id AS base_id
FROM main.ability AS a
INNER JOIN main.benchmark AS b ON a.benchmark_id = b.benchmark_id AND a.level = b.macro_level
INNER JOIN ability_above AS u USING (ability_id)
WHERE u.above_id <> a.ability_id
UNION ALL
SELECT a.benchmark_id, 0 AS ability_id, a.ability_id AS base_id
FROM main.ability AS a
INNER JOIN main.benchmark AS b ON a.benchmark_id = b.benchmark_id AND a.level = b.macro_level
