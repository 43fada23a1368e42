-- How far each judge has come with each run: what default_judge rests on. One row per run, strategy
-- that decides (the benchmark's own, and of answers in words both graded and vanilla) and judge.
-- @table per run
-- @key strategy judge
-- @is_own Whether the strategy is the benchmark's own.
SELECT
    s.run_id, r.benchmark, r.dataset, r.model, r.run, r.is_latest, r.dataset_id, r.benchmark_id,
    r.task, s.strategy, s.strategy = b.strategy AS is_own, s.judge, s.n_pending, s.n_fallback
FROM ability_sum AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE
    s.subset = 'all'
    AND s.ability_id = 0
    AND (s.strategy = b.strategy OR (b.task = 'open' AND s.strategy IN ('graded', 'vanilla')))
