-- The abilities that a run answered a question of, at the level that its benchmark's macro averages
-- are over; other benchmarks have no rows. One row per run and ability.
-- @table per run
-- @key ability_id
WITH leveled AS (
    SELECT r.run_id, q.question_id, q.ability_id
    FROM current_run AS r
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    INNER JOIN main.ability AS a ON b.benchmark_id = a.benchmark_id AND b.macro_level = a.level
    INNER JOIN main.question_ability AS q USING (ability_id)
)

SELECT l.run_id, l.ability_id
FROM leveled AS l
INNER JOIN main.prediction AS p USING (run_id, question_id)
WHERE NOT is_failed(p.failed)
UNION
SELECT l.run_id, l.ability_id
FROM leveled AS l
INNER JOIN main.choice_score AS s USING (run_id, question_id)
