-- What a run is: one row, or none where it does not count.
SELECT
    r.run_id, r.model, r.run, r.dataset, r.dataset_id, r.benchmark, r.benchmark_id, r.task,
    r.version, r.split, r.language, r.harness, r.method, r.reduction, r.scored, r.produced_at,
    r.ingested_at, b.average, b.strategy, f.family, f.access
FROM current_run AS r
INNER JOIN main.benchmark AS b ON r.benchmark_id = b.benchmark_id
LEFT JOIN main.model_fact AS f ON r.model_id = f.model_id AND f.superseded_by IS NULL
WHERE r.run_id = $run_id
