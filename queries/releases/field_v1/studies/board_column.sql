-- The scores of each model's latest runs as boards have them: by the benchmark's own strategy and
-- average. One row per dataset, judge, ability and model with a score.
-- @internal
SELECT s.dataset, s.dataset_id, s.judge, s.level, s.ability, s.ability_id, s.model, s.score
FROM ability_score AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE
    s.is_latest
    AND s.score IS NOT NULL
    AND s.strategy = b.strategy
    AND (s.average = b.average OR (s.average = 'micro' AND s.ability_id NOT IN (SELECT ability_id FROM ability_base)))
