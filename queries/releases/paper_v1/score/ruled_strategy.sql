-- The strategies under which a run's questions with rules have results: vanilla. One row per run
-- and strategy.
-- @internal
SELECT run_id, 'vanilla' AS strategy
FROM current_run
