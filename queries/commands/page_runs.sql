-- The runs that count, each with its file: those of a dataset or model, where one is given, and of
-- these $most from $lines_from on.
SELECT
    r.run_id, r.model, r.run, r.dataset, r.benchmark, r.task, r.harness, r.method, r.produced_at,
    r.ingested_at, r.is_latest, s.path, coalesce(e.status, 'success') AS status,
    count(*) OVER () AS n_lines
FROM current_run AS r
INNER JOIN main.run AS f ON r.run_id = f.run_id
INNER JOIN main.source AS s ON f.source_id = s.source_id
LEFT JOIN main.run_status AS e ON r.run_id = e.run_id
WHERE ($dataset IS NULL OR r.dataset = $dataset) AND ($model IS NULL OR r.model = $model)
ORDER BY r.benchmark, r.dataset, r.model, r.run_id DESC
LIMIT $most OFFSET $lines_from
