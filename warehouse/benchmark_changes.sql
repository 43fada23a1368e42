-- Levels that questions state in an attribute, for a benchmark whose levels are changed later.

-- name: stated
-- What the questions of a benchmark state there, in the order of the questions.
SELECT arg_min(trim(a.value), q.question_id) AS name
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE d.benchmark_id = $benchmark_id AND lower(a.name) = lower($level) AND trim(a.value) <> ''
GROUP BY lower(trim(a.value))
ORDER BY min(q.question_id), 1

-- name: attributes
SELECT DISTINCT a.name
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE d.benchmark_id = $benchmark_id
ORDER BY 1

-- name: file_questions
INSERT INTO main.question_ability
SELECT DISTINCT q.question_id, b.ability_id, $source_id
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.ability AS b ON d.benchmark_id = b.benchmark_id
WHERE
    d.benchmark_id = $benchmark_id
    AND b.level = $level
    AND lower(a.name) = lower($level)
    AND lower(trim(a.value)) = lower(b.name)
ORDER BY 1, 2

-- name: set_conventions
UPDATE main.benchmark
SET strategy = $strategy, average = $average, macro_level = $macro_level
WHERE benchmark_id = $benchmark_id

-- name: conventions
SELECT name, task, strategy, average, macro_level
FROM main.benchmark
WHERE benchmark_id = $benchmark_id
