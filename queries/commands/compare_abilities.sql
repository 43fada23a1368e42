-- Two runs compared, Overall first and then the abilities of a level.
SELECT *
FROM paired_difference
WHERE
    run_a = $run_a
    AND run_b = $run_b
    AND strategy = $strategy
    AND judge = $judge
    AND subset = $subset
    AND (level = 'overall' OR level = $level)
ORDER BY ability_ordinal, ability_id
