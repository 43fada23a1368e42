-- How many verdicts of each run wait, and were drawn, under each judge: what default_judge rests on.
-- One row per run, strategy that decides and judge.
-- @internal
-- @table per run
-- @key strategy judge
-- @is_own Whether the strategy is the benchmark's own.
SELECT s.run_id, s.strategy, s.strategy = b.strategy AS is_own, s.judge, s.n_pending, s.n_fallback
FROM ability_sum AS s
INNER JOIN main.run AS r USING (run_id)
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE
    s.subset = 'all'
    AND s.ability_id = 0
    AND (s.strategy = b.strategy OR (b.task = 'open' AND s.strategy IN ('graded', 'vanilla')))
    -- No view has the judge that nobody asked.
    AND replace(s.judge, ' ', '') <> ''
