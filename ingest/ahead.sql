-- What an adapter that stages ahead may read of the warehouse.

-- name: names
SELECT 'benchmark' AS kind, benchmark_id AS id, name, task AS word, NULL AS version
FROM main.benchmark
UNION ALL
SELECT 'dataset', dataset_id, name, split, version
FROM main.dataset
ORDER BY kind, id
