-- The named figures of each benchmark; one that declares none has its board's score as Overall. One
-- row per benchmark and figure.
-- @is_made_of_figures Whether it is made of other figures rather than of questions' scores.
SELECT
    f.benchmark_id, b.name AS benchmark, f.ordinal, f.name, f.aggregate,
    coalesce(f.strategy, b.strategy) AS strategy, f.level, f.scale, f.parts, f.metrics,
    f.parts IS NOT NULL AS is_made_of_figures
FROM main.benchmark_figure AS f
INNER JOIN main.benchmark AS b USING (benchmark_id)
WHERE f.superseded_by IS NULL
UNION ALL
SELECT
    b.benchmark_id, b.name AS benchmark, CAST(0 AS SMALLINT) AS ordinal, 'Overall' AS name,
    b.average AS aggregate, b.strategy, CAST(NULL AS VARCHAR) AS level,
    CAST(1.0 AS DOUBLE) AS scale, CAST(NULL AS VARCHAR[]) AS parts,
    CAST(NULL AS VARCHAR[]) AS metrics, FALSE AS is_made_of_figures
FROM main.benchmark AS b
WHERE
    b.benchmark_id NOT IN (
        SELECT benchmark_id FROM main.benchmark_figure WHERE superseded_by IS NULL
    )
