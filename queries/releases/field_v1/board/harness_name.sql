-- What harnesses call the figures of benchmark_score, as far as a benchmark's folder says; those of
-- other benchmarks of choices are called as VLMEvalKit does. An ability has several spellings. One
-- row per run, judge and name.
-- @internal
-- @metric In lower case.
WITH pattern AS (
    SELECT
        benchmark,
        ordinal,
        unnest(metrics) AS pattern
    FROM declared_figure
    WHERE metrics IS NOT NULL
    UNION ALL
    SELECT
        benchmark,
        0 AS ordinal,
        'split={split}|{ability}' AS pattern
    FROM declared_figure
    WHERE metrics IS NULL AND ordinal = 0 AND name = 'Overall'
    UNION ALL
    SELECT
        benchmark,
        0 AS ordinal,
        'split=none|{ability}' AS pattern
    FROM declared_figure
    WHERE metrics IS NULL AND ordinal = 0 AND name = 'Overall'
),

spelt AS (
    SELECT
        ability_id,
        spelling
    FROM main.ability_spelling
    UNION
    SELECT
        ability_id,
        lower(name) AS spelling
    FROM main.ability
    UNION ALL
    SELECT
        0 AS ability_id,
        'overall' AS spelling
),

called AS (
    SELECT
        b.run_id,
        b.judge,
        b.dataset,
        b.figure,
        b.level,
        b.ability,
        b.score,
        lower(
            replace(replace(p.pattern, '{split}', coalesce(b.split, 'none')), '{ability}', s.spelling)
        ) AS metric,
        -- The same name for several: the later figure, of the finest level, as VLMEvalKit writes one
        -- over the other.
        row_number() OVER (
            PARTITION BY b.run_id, b.judge, lower(
                replace(replace(p.pattern, '{split}', coalesce(b.split, 'none')), '{ability}', s.spelling)
            )
            ORDER BY b.figure_ordinal DESC, b.ability_ordinal DESC
        ) AS place
    FROM benchmark_score AS b
    INNER JOIN pattern AS p ON b.benchmark = p.benchmark AND b.figure_ordinal = p.ordinal
    INNER JOIN spelt AS s ON b.ability_id = s.ability_id
    -- A name without an ability is that of the whole.
    WHERE b.ability_id = 0 OR contains(p.pattern, '{ability}')
)

SELECT
    run_id,
    judge,
    dataset,
    figure,
    level,
    ability,
    score,
    metric
FROM called
WHERE place = 1
