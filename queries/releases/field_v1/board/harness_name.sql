-- What harnesses call the figures of benchmark_score, as far as a benchmark's folder says; those of
-- other benchmarks of choices are called as VLMEvalKit does. An ability has several spellings. One
-- row per run, judge and name.
-- @internal
-- @metric As metric_key gives it.
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

said AS (
    SELECT
        b.run_id,
        b.judge,
        b.dataset,
        b.figure,
        b.level,
        b.ability,
        b.score,
        b.figure_ordinal,
        b.ability_ordinal,
        metric_key(
            replace(
                replace(
                    replace(p.pattern, '{split}', coalesce(b.split, 'none')),
                    '{' || b.level || '}', s.spelling
                ),
                '{ability}', s.spelling
            )
        ) AS metric
    FROM benchmark_score AS b
    INNER JOIN pattern AS p ON b.benchmark = p.benchmark AND b.figure_ordinal = p.ordinal
    INNER JOIN spelt AS s ON b.ability_id = s.ability_id
    -- A name without an ability is that of the whole.
    WHERE
        contains(p.pattern, '{ability}')
        OR contains(p.pattern, '{' || b.level || '}')
        OR (b.ability_id = 0 AND NOT contains(replace(p.pattern, '{split}', ''), '{'))
),

called AS (
    SELECT
        *,
        -- The same name for several: the later figure, of the finest level, as VLMEvalKit writes one
        -- over the other.
        row_number() OVER (
            PARTITION BY run_id, judge, metric
            ORDER BY figure_ordinal DESC, ability_ordinal DESC
        ) AS place
    FROM said
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
