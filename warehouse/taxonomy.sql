-- Benchmarks and their abilities.

-- name: conventions
SELECT name, task, strategy, average, macro_level, thinking
FROM main.benchmark
WHERE benchmark_id = $benchmark_id

-- name: abilities
SELECT a.level, a.name, a.abbreviation, p.name
FROM main.ability AS a
LEFT JOIN main.ability AS p ON a.parent_id = p.ability_id
WHERE a.benchmark_id = $benchmark_id AND a.superseded_by IS NULL
ORDER BY a.ordinal

-- name: add_spelling
INSERT INTO main.ability_spelling
SELECT ability_id, $spelling, $source_id
FROM main.ability AS a
WHERE
    benchmark_id = $benchmark
    AND level = $level
    AND name = $name
    AND NOT EXISTS (
        SELECT 1
        FROM main.ability_spelling AS s
        WHERE s.ability_id = a.ability_id AND s.spelling = $spelling
    )

-- name: benchmarks
SELECT
    name, task, strategy, average,
    coalesce(
        (
            SELECT string_agg(level, ', ' ORDER BY n)
            FROM (
                SELECT level, min(ordinal) AS n
                FROM main.ability AS a
                WHERE a.benchmark_id = b.benchmark_id AND superseded_by IS NULL
                GROUP BY level
            )
        ),
        ''
    )
FROM main.benchmark AS b
ORDER BY benchmark_id

-- name: settle_task
UPDATE main.benchmark
SET task = $task, strategy = $strategy
WHERE
    benchmark_id = $benchmark
    AND task <> $task
    AND NOT EXISTS (SELECT 1 FROM main.dataset WHERE benchmark_id = $benchmark)
    AND NOT list_contains($known, name)

-- name: supersede_scoring
UPDATE main.{table}
SET superseded_by = ?
WHERE benchmark_id = ? AND superseded_by IS NULL
