-- A fact stands twice
SELECT
    'benchmark' AS table_name,
    CAST(row(lower(name)) AS VARCHAR) AS key,
    count(*) AS n
FROM main.benchmark
GROUP BY lower(name)
HAVING count(*) > 1
UNION ALL
SELECT
    'ability' AS table_name,
    CAST(row(benchmark_id, level, lower(name)) AS VARCHAR) AS key,
    count(*) AS n
FROM main.ability
GROUP BY benchmark_id, level, lower(name)
HAVING count(*) > 1
UNION ALL
SELECT
    'ability_spelling' AS table_name,
    CAST(row(ability_id, spelling) AS VARCHAR) AS key,
    count(*) AS n
FROM main.ability_spelling
GROUP BY ability_id, spelling
HAVING count(*) > 1
UNION ALL
SELECT
    'dataset' AS table_name,
    CAST(row(benchmark_id, version, split, language) AS VARCHAR) AS key,
    count(*) AS n
FROM main.dataset
GROUP BY benchmark_id, version, split, language
HAVING count(*) > 1
UNION ALL
SELECT
    'question' AS table_name,
    CAST(row(dataset_id, question_key) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question
GROUP BY dataset_id, question_key
HAVING count(*) > 1
UNION ALL
SELECT
    'question_attribute' AS table_name,
    CAST(row(question_id, name) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question_attribute
GROUP BY question_id, name
HAVING count(*) > 1
UNION ALL
SELECT
    'question_image' AS table_name,
    CAST(row(question_id, ordinal) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question_image
GROUP BY question_id, ordinal
HAVING count(*) > 1
UNION ALL
SELECT
    'question_pass' AS table_name,
    CAST(row(question_id, pass) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question_pass
GROUP BY question_id, pass
HAVING count(*) > 1
UNION ALL
SELECT
    'choice' AS table_name,
    CAST(row(question_id, pass, label) AS VARCHAR) AS key,
    count(*) AS n
FROM main.choice
GROUP BY question_id, pass, label
HAVING count(*) > 1
UNION ALL
SELECT
    'answer' AS table_name,
    CAST(row(question_id, pass) AS VARCHAR) AS key,
    count(*) AS n
FROM main.answer
WHERE superseded_by IS NULL
GROUP BY question_id, pass
HAVING count(*) > 1
UNION ALL
SELECT
    'reference_answer' AS table_name,
    CAST(row(question_id, ordinal) AS VARCHAR) AS key,
    count(*) AS n
FROM main.reference_answer
GROUP BY question_id, ordinal
HAVING count(*) > 1
UNION ALL
SELECT
    'question_ability' AS table_name,
    CAST(row(question_id, ability_id) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question_ability
GROUP BY question_id, ability_id
HAVING count(*) > 1
UNION ALL
SELECT
    'dataset_subset' AS table_name,
    CAST(row(dataset_id, lower(name)) AS VARCHAR) AS key,
    count(*) AS n
FROM main.dataset_subset
WHERE superseded_by IS NULL
GROUP BY dataset_id, lower(name)
HAVING count(*) > 1
UNION ALL
SELECT
    'subset_question' AS table_name,
    CAST(row(subset_id, question_id) AS VARCHAR) AS key,
    count(*) AS n
FROM main.subset_question
GROUP BY subset_id, question_id
HAVING count(*) > 1
UNION ALL
SELECT
    'model' AS table_name,
    CAST(row(name) AS VARCHAR) AS key,
    count(*) AS n
FROM main.model
GROUP BY name
HAVING count(*) > 1
UNION ALL
SELECT
    'model_alias' AS table_name,
    CAST(row(alias) AS VARCHAR) AS key,
    count(*) AS n
FROM main.model_alias
GROUP BY alias
HAVING count(*) > 1
UNION ALL
SELECT
    'model_fact' AS table_name,
    CAST(row(model_id) AS VARCHAR) AS key,
    count(*) AS n
FROM main.model_fact
WHERE superseded_by IS NULL
GROUP BY model_id
HAVING count(*) > 1
UNION ALL
SELECT
    'run' AS table_name,
    CAST(row(model_id, dataset_id, label) AS VARCHAR) AS key,
    count(*) AS n
FROM main.run
WHERE superseded_by IS NULL AND retracted_at IS NULL
GROUP BY model_id, dataset_id, label
HAVING count(*) > 1
UNION ALL
SELECT
    'run_sample' AS table_name,
    CAST(row(run_id, sample) AS VARCHAR) AS key,
    count(*) AS n
FROM main.run_sample
GROUP BY run_id, sample
HAVING count(*) > 1
UNION ALL
SELECT
    'judge' AS table_name,
    CAST(row(name) AS VARCHAR) AS key,
    count(*) AS n
FROM main.judge
GROUP BY name
HAVING count(*) > 1
UNION ALL
SELECT
    'release' AS table_name,
    CAST(row(name) AS VARCHAR) AS key,
    count(*) AS n
FROM main.release
GROUP BY name
HAVING count(*) > 1
UNION ALL
SELECT
    'release_object' AS table_name,
    CAST(row(release, kind, name) AS VARCHAR) AS key,
    count(*) AS n
FROM main.release_object
GROUP BY release, kind, name
HAVING count(*) > 1
UNION ALL
SELECT
    'judge_sample' AS table_name,
    CAST(row(judge_id, judge_sample) AS VARCHAR) AS key,
    count(*) AS n
FROM main.judge_sample
GROUP BY judge_id, judge_sample
HAVING count(*) > 1
UNION ALL
SELECT
    'judge_template' AS table_name,
    CAST(row(template_sha256) AS VARCHAR) AS key,
    count(*) AS n
FROM main.judge_template
GROUP BY template_sha256
HAVING count(*) > 1
UNION ALL
SELECT
    'judgment' AS table_name,
    CAST(row(judge_id, request_key) AS VARCHAR) AS key,
    count(*) AS n
FROM main.judgment
WHERE request_key IS NOT NULL AND error IS NULL
GROUP BY judge_id, request_key
HAVING count(*) > 1
UNION ALL
SELECT
    'ability_part' AS table_name,
    CAST(row(ability_id, part_id) AS VARCHAR) AS key,
    count(*) AS n
FROM main.ability_part
GROUP BY ability_id, part_id
HAVING count(*) > 1
UNION ALL
SELECT
    'question_component' AS table_name,
    CAST(row(question_id, component) AS VARCHAR) AS key,
    count(*) AS n
FROM main.question_component
GROUP BY question_id, component
HAVING count(*) > 1
UNION ALL
SELECT
    'run_status' AS table_name,
    CAST(row(run_id) AS VARCHAR) AS key,
    count(*) AS n
FROM main.run_status
GROUP BY run_id
HAVING count(*) > 1
UNION ALL
SELECT
    'sample_error' AS table_name,
    CAST(row(run_id, question_id, pass, sample) AS VARCHAR) AS key,
    count(*) AS n
FROM main.sample_error
GROUP BY run_id, question_id, pass, sample
HAVING count(*) > 1
