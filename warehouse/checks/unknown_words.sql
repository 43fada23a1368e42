-- A word stands where only certain ones can
SELECT
    'dataset_source.role' AS place,
    role AS word
FROM main.dataset_source
WHERE role NOT IN ('questions', 'predictions')
UNION ALL
SELECT
    'run.method' AS place,
    method AS word
FROM main.run
WHERE method NOT IN ('generation', 'loglik', 'perplexity', 'clip')
UNION ALL
SELECT
    'judge.task' AS place,
    task AS word
FROM main.judge
WHERE task NOT IN ('choice_extraction', 'soft_score', 'mark', 'letter_grade', 'pair')
UNION ALL
SELECT DISTINCT
    'judge.kind' AS place,
    kind AS word
FROM main.judge
WHERE kind NOT IN ('llm', 'human', 'import', 'keyword')
UNION ALL
SELECT DISTINCT
    'judgment.origin' AS place,
    origin AS word
FROM main.judgment
WHERE origin NOT IN ('call', 'batch', 'cache', 'local', 'import', 'human')
UNION ALL
SELECT DISTINCT
    'benchmark.task' AS place,
    task AS word
FROM main.benchmark
WHERE task NOT IN ('choice', 'open')
UNION ALL
SELECT DISTINCT
    'benchmark.strategy' AS place,
    strategy AS word
FROM main.benchmark
WHERE strategy NOT IN ('circular', 'vanilla', 'vanilla_all', 'graded')
UNION ALL
SELECT DISTINCT
    'question_component.component' AS place,
    component AS word
FROM main.question_component
WHERE component NOT IN ('text', 'image')
UNION ALL
SELECT DISTINCT
    'choice_score.component' AS place,
    component AS word
FROM main.choice_score
WHERE component NOT IN ('answer', 'text', 'image')
UNION ALL
SELECT
    'dataset_subset.name' AS place,
    name AS word
FROM main.dataset_subset
WHERE lower(name) = 'all'
