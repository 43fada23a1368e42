-- An ability of a run's benchmark, or all of them, and the run.
SELECT
    r.run_id, r.model, r.run, r.dataset, r.benchmark, r.task, b.strategy, t.ability_id, t.ability,
    t.level
FROM current_run AS r
INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
INNER JOIN ability_tree AS t ON r.benchmark_id = t.benchmark_id
WHERE r.run_id = $run AND ($ability IS NULL OR t.ability_id = $ability)
