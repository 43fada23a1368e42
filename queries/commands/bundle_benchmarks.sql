-- The benchmarks that have runs, and the levels of each in the order of its paper.
SELECT
    b.name AS benchmark, b.benchmark_id, b.task, b.strategy,
    coalesce(any_value(l.levels), CAST([] AS VARCHAR [])) AS levels
FROM main.benchmark AS b
LEFT JOIN (
    SELECT benchmark_id, list(level ORDER BY first_ordinal) AS levels
    FROM (
        SELECT benchmark_id, level, min(ordinal) AS first_ordinal
        FROM main.ability
        WHERE superseded_by IS NULL
        GROUP BY benchmark_id, level
    )
    GROUP BY benchmark_id
) AS l ON b.benchmark_id = l.benchmark_id
WHERE b.benchmark_id IN (SELECT benchmark_id FROM current_run)
GROUP BY b.name, b.benchmark_id, b.task, b.strategy
ORDER BY b.name
