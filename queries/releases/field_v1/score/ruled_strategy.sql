-- The strategies under which a run's questions with rules have results: vanilla, and the own one of
-- a benchmark of choices, of which some questions may be in words. One row per run and strategy.
-- @internal
SELECT run_id, 'vanilla' AS strategy
FROM current_run
UNION
SELECT r.run_id, b.strategy
FROM current_run AS r
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE b.task = 'choice' AND b.strategy IN ('circular', 'vanilla_all')
