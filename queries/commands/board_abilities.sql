-- The abilities of a benchmark in the order of its paper, Overall first.
SELECT ability_id, level, parent_id, abbreviation
FROM ability_tree
WHERE benchmark_id = $benchmark_id
ORDER BY ordinal, ability_id
