-- A run, and those that came from the same rows of the same file: its other splits. The one that
-- was
-- given comes first.
SELECT
    c.run_id, c.model, c.run, c.dataset_id, c.dataset, c.benchmark, c.task, c.version, c.split,
    c.language, c.harness, c.method, s.path, s.flags
FROM current_run AS c
INNER JOIN main.run AS r ON c.run_id = r.run_id
INNER JOIN main.run AS given ON given.run_id = $run_id
INNER JOIN main.source AS s ON r.source_id = s.source_id
INNER JOIN current_run AS a ON given.run_id = a.run_id
WHERE
    r.source_id = given.source_id
    AND c.model_id = a.model_id
    AND c.run = a.run
    AND c.benchmark_id = a.benchmark_id
    AND c.version IS NOT DISTINCT FROM a.version
    AND c.language IS NOT DISTINCT FROM a.language
ORDER BY c.run_id <> $run_id, c.run_id
