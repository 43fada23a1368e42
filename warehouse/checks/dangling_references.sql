-- A row refers to one that is not there
SELECT DISTINCT 'benchmark' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.benchmark AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability' AS table_name, 'benchmark_id' AS column_name, CAST(t.benchmark_id AS VARCHAR) AS value FROM main.ability AS t ANTI JOIN main.benchmark AS r ON t.benchmark_id = r.benchmark_id WHERE t.benchmark_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability' AS table_name, 'parent_id' AS column_name, CAST(t.parent_id AS VARCHAR) AS value FROM main.ability AS t ANTI JOIN main.ability AS r ON t.parent_id = r.ability_id WHERE t.parent_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.ability AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability_spelling' AS table_name, 'ability_id' AS column_name, CAST(t.ability_id AS VARCHAR) AS value FROM main.ability_spelling AS t ANTI JOIN main.ability AS r ON t.ability_id = r.ability_id WHERE t.ability_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability_spelling' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.ability_spelling AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset' AS table_name, 'benchmark_id' AS column_name, CAST(t.benchmark_id AS VARCHAR) AS value FROM main.dataset AS t ANTI JOIN main.benchmark AS r ON t.benchmark_id = r.benchmark_id WHERE t.benchmark_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.dataset AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset_source' AS table_name, 'dataset_id' AS column_name, CAST(t.dataset_id AS VARCHAR) AS value FROM main.dataset_source AS t ANTI JOIN main.dataset AS r ON t.dataset_id = r.dataset_id WHERE t.dataset_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset_source' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.dataset_source AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question' AS table_name, 'dataset_id' AS column_name, CAST(t.dataset_id AS VARCHAR) AS value FROM main.question AS t ANTI JOIN main.dataset AS r ON t.dataset_id = r.dataset_id WHERE t.dataset_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_attribute' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.question_attribute AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_attribute' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question_attribute AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_image' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.question_image AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_image' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question_image AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_pass' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.question_pass AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_pass' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question_pass AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'choice' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.choice AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'choice' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.choice AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'answer' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.answer AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'answer' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.answer AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'answer' AS table_name, 'superseded_by' AS column_name, CAST(t.superseded_by AS VARCHAR) AS value FROM main.answer AS t ANTI JOIN main.source AS r ON t.superseded_by = r.source_id WHERE t.superseded_by IS NOT NULL
UNION ALL
SELECT DISTINCT 'reference_answer' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.reference_answer AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'reference_answer' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.reference_answer AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_ability' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.question_ability AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_ability' AS table_name, 'ability_id' AS column_name, CAST(t.ability_id AS VARCHAR) AS value FROM main.question_ability AS t ANTI JOIN main.ability AS r ON t.ability_id = r.ability_id WHERE t.ability_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_ability' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question_ability AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset_subset' AS table_name, 'dataset_id' AS column_name, CAST(t.dataset_id AS VARCHAR) AS value FROM main.dataset_subset AS t ANTI JOIN main.dataset AS r ON t.dataset_id = r.dataset_id WHERE t.dataset_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset_subset' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.dataset_subset AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'subset_question' AS table_name, 'subset_id' AS column_name, CAST(t.subset_id AS VARCHAR) AS value FROM main.subset_question AS t ANTI JOIN main.dataset_subset AS r ON t.subset_id = r.subset_id WHERE t.subset_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'subset_question' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.subset_question AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'subset_question' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.subset_question AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.model AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model_alias' AS table_name, 'model_id' AS column_name, CAST(t.model_id AS VARCHAR) AS value FROM main.model_alias AS t ANTI JOIN main.model AS r ON t.model_id = r.model_id WHERE t.model_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model_alias' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.model_alias AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model_fact' AS table_name, 'model_id' AS column_name, CAST(t.model_id AS VARCHAR) AS value FROM main.model_fact AS t ANTI JOIN main.model AS r ON t.model_id = r.model_id WHERE t.model_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model_fact' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.model_fact AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'model_fact' AS table_name, 'superseded_by' AS column_name, CAST(t.superseded_by AS VARCHAR) AS value FROM main.model_fact AS t ANTI JOIN main.source AS r ON t.superseded_by = r.source_id WHERE t.superseded_by IS NOT NULL
UNION ALL
SELECT DISTINCT 'run' AS table_name, 'model_id' AS column_name, CAST(t.model_id AS VARCHAR) AS value FROM main.run AS t ANTI JOIN main.model AS r ON t.model_id = r.model_id WHERE t.model_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'run' AS table_name, 'dataset_id' AS column_name, CAST(t.dataset_id AS VARCHAR) AS value FROM main.run AS t ANTI JOIN main.dataset AS r ON t.dataset_id = r.dataset_id WHERE t.dataset_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'run' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.run AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'run' AS table_name, 'superseded_by' AS column_name, CAST(t.superseded_by AS VARCHAR) AS value FROM main.run AS t ANTI JOIN main.source AS r ON t.superseded_by = r.source_id WHERE t.superseded_by IS NOT NULL
UNION ALL
SELECT DISTINCT 'run_sample' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.run_sample AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'run_event' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.run_event AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'prediction' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.prediction AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'prediction' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.prediction AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'choice_score' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.choice_score AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'choice_score' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.choice_score AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judge' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.judge AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judgment' AS table_name, 'judge_id' AS column_name, CAST(t.judge_id AS VARCHAR) AS value FROM main.judgment AS t ANTI JOIN main.judge AS r ON t.judge_id = r.judge_id WHERE t.judge_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judgment' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.judgment AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judgment' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.judgment AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judgment' AS table_name, 'asked_run_id' AS column_name, CAST(t.asked_run_id AS VARCHAR) AS value FROM main.judgment AS t ANTI JOIN main.run AS r ON t.asked_run_id = r.run_id WHERE t.asked_run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judge_sample' AS table_name, 'judge_id' AS column_name, CAST(t.judge_id AS VARCHAR) AS value FROM main.judge_sample AS t ANTI JOIN main.judge AS r ON t.judge_id = r.judge_id WHERE t.judge_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judge_sample' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.judge_sample AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judge_template' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.judge_template AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'judge_event' AS table_name, 'judge_id' AS column_name, CAST(t.judge_id AS VARCHAR) AS value FROM main.judge_event AS t ANTI JOIN main.judge AS r ON t.judge_id = r.judge_id WHERE t.judge_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'dataset_subset' AS table_name, 'superseded_by' AS column_name, CAST(t.superseded_by AS VARCHAR) AS value FROM main.dataset_subset AS t ANTI JOIN main.source AS r ON t.superseded_by = r.source_id WHERE t.superseded_by IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability_part' AS table_name, 'ability_id' AS column_name, CAST(t.ability_id AS VARCHAR) AS value FROM main.ability_part AS t ANTI JOIN main.ability AS r ON t.ability_id = r.ability_id WHERE t.ability_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability_part' AS table_name, 'part_id' AS column_name, CAST(t.part_id AS VARCHAR) AS value FROM main.ability_part AS t ANTI JOIN main.ability AS r ON t.part_id = r.ability_id WHERE t.part_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'ability_part' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.ability_part AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_component' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.question_component AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'question_component' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.question_component AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'published_score' AS table_name, 'benchmark_id' AS column_name, CAST(t.benchmark_id AS VARCHAR) AS value FROM main.published_score AS t ANTI JOIN main.benchmark AS r ON t.benchmark_id = r.benchmark_id WHERE t.benchmark_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'published_score' AS table_name, 'model_id' AS column_name, CAST(t.model_id AS VARCHAR) AS value FROM main.published_score AS t ANTI JOIN main.model AS r ON t.model_id = r.model_id WHERE t.model_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'published_score' AS table_name, 'ability_id' AS column_name, CAST(t.ability_id AS VARCHAR) AS value FROM main.published_score AS t ANTI JOIN main.ability AS r ON t.ability_id = r.ability_id WHERE t.ability_id IS NOT NULL AND t.ability_id <> 0
UNION ALL
SELECT DISTINCT 'published_score' AS table_name, 'source_id' AS column_name, CAST(t.source_id AS VARCHAR) AS value FROM main.published_score AS t ANTI JOIN main.source AS r ON t.source_id = r.source_id WHERE t.source_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'run_status' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.run_status AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'sample_error' AS table_name, 'run_id' AS column_name, CAST(t.run_id AS VARCHAR) AS value FROM main.sample_error AS t ANTI JOIN main.run AS r ON t.run_id = r.run_id WHERE t.run_id IS NOT NULL
UNION ALL
SELECT DISTINCT 'sample_error' AS table_name, 'question_id' AS column_name, CAST(t.question_id AS VARCHAR) AS value FROM main.sample_error AS t ANTI JOIN main.question AS r ON t.question_id = r.question_id WHERE t.question_id IS NOT NULL
