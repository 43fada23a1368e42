-- The default judges of each dataset, that of the benchmark's own strategy first.
SELECT d.name AS dataset, b.task, j.strategy, j.judge
FROM default_judge AS j
INNER JOIN main.dataset AS d ON j.dataset_id = d.dataset_id
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
ORDER BY d.name, j.is_own DESC, j.strategy
