-- An id stands twice in its table
SELECT 'source' AS table_name, CAST(source_id AS VARCHAR) AS key, count(*) AS n FROM main.source GROUP BY source_id HAVING count(*) > 1
UNION ALL
SELECT 'benchmark' AS table_name, CAST(benchmark_id AS VARCHAR) AS key, count(*) AS n FROM main.benchmark GROUP BY benchmark_id HAVING count(*) > 1
UNION ALL
SELECT 'ability' AS table_name, CAST(ability_id AS VARCHAR) AS key, count(*) AS n FROM main.ability GROUP BY ability_id HAVING count(*) > 1
UNION ALL
SELECT 'dataset' AS table_name, CAST(dataset_id AS VARCHAR) AS key, count(*) AS n FROM main.dataset GROUP BY dataset_id HAVING count(*) > 1
UNION ALL
SELECT 'question' AS table_name, CAST(question_id AS VARCHAR) AS key, count(*) AS n FROM main.question GROUP BY question_id HAVING count(*) > 1
UNION ALL
SELECT 'dataset_subset' AS table_name, CAST(subset_id AS VARCHAR) AS key, count(*) AS n FROM main.dataset_subset GROUP BY subset_id HAVING count(*) > 1
UNION ALL
SELECT 'model' AS table_name, CAST(model_id AS VARCHAR) AS key, count(*) AS n FROM main.model GROUP BY model_id HAVING count(*) > 1
UNION ALL
SELECT 'run' AS table_name, CAST(run_id AS VARCHAR) AS key, count(*) AS n FROM main.run GROUP BY run_id HAVING count(*) > 1
UNION ALL
SELECT 'judge' AS table_name, CAST(judge_id AS VARCHAR) AS key, count(*) AS n FROM main.judge GROUP BY judge_id HAVING count(*) > 1
UNION ALL
SELECT 'judgment' AS table_name, CAST(judgment_id AS VARCHAR) AS key, count(*) AS n FROM main.judgment GROUP BY judgment_id HAVING count(*) > 1
