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
WHERE task NOT IN ('choice_extraction', 'soft_score', 'mark')
