-- Levels that questions state in an attribute, for a benchmark whose levels are changed later. A
-- level that was taken away keeps its abilities and what is filed under them, and so can come back.

-- name: stated
-- What the questions of a benchmark state there, in the order of the questions.
SELECT arg_min(trim(a.value), q.question_id) AS name
FROM main.question_attribute AS a
INNER JOIN main.question AS q ON a.question_id = q.question_id
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
WHERE
    d.benchmark_id = $benchmark_id
    AND lower(a.name) = $column
    AND trim(a.value) <> ''
    AND NOT EXISTS (
        SELECT 1
        FROM main.question_ability AS f
        INNER JOIN main.ability AS k ON f.ability_id = k.ability_id
        WHERE f.question_id = q.question_id AND k.level = $level
    )
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
    AND lower(a.name) = $column
    AND lower(trim(a.value)) = lower(b.name)
    AND NOT EXISTS (
        SELECT 1
        FROM main.question_ability AS f
        INNER JOIN main.ability AS k ON f.ability_id = k.ability_id
        WHERE f.question_id = q.question_id AND k.level = $level
    )
ORDER BY 1, 2

-- name: former_abilities
SELECT lower(name) AS name
FROM main.ability
WHERE benchmark_id = $benchmark_id AND level = $level AND superseded_by IS NOT NULL

-- name: abilities
SELECT lower(name) AS name
FROM main.ability
WHERE benchmark_id = $benchmark_id AND level = $level

-- name: below
SELECT b.level
FROM main.ability AS a
INNER JOIN main.ability AS b ON a.ability_id = b.parent_id
WHERE a.benchmark_id = $benchmark_id AND a.level = $level AND b.superseded_by IS NULL
ORDER BY b.ordinal
LIMIT 1

-- name: take_level_away
UPDATE main.ability
SET superseded_by = $source_id
WHERE benchmark_id = $benchmark_id AND level = $level AND superseded_by IS NULL

-- name: give_level_back
UPDATE main.ability
SET superseded_by = NULL
WHERE benchmark_id = $benchmark_id AND level = $level

-- name: levels
SELECT level, count(parent_id) = 0 AS is_apart
FROM main.ability
WHERE benchmark_id = $benchmark_id AND superseded_by IS NULL
GROUP BY level
ORDER BY min(ordinal)

-- name: set_conventions
UPDATE main.benchmark
SET strategy = $strategy, average = $average, macro_level = $macro_level, thinking = $thinking
WHERE benchmark_id = $benchmark_id
