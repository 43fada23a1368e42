-- What harnesses call the figures of benchmark_score, as far as a benchmark's folder says; those of
-- other benchmarks of choices are called as VLMEvalKit does. An ability has several spellings. One
-- row per run, judge, figure, ability and spelling.
-- @internal
-- @metrics Its names, as metric_key gives them.
WITH spelt AS (
    SELECT
        ability_id,
        spelling
    FROM main.ability_spelling
    UNION
    SELECT
        ability_id,
        name AS spelling
    FROM main.ability
    UNION ALL
    SELECT
        0 AS ability_id,
        'overall' AS spelling
),

pattern AS (
    SELECT
        benchmark,
        ordinal,
        CASE
            WHEN metrics IS NOT NULL THEN metrics
            WHEN ordinal = 0 AND name = 'Overall' THEN ['split={split}|{ability}', 'split=none|{ability}']
        END AS patterns
    FROM declared_figure
)

SELECT
    b.run_id,
    b.judge,
    b.dataset,
    b.figure,
    b.figure_ordinal,
    b.level,
    b.ability,
    b.ability_ordinal,
    b.score,
    list_transform(
        list_filter(
            p.patterns,
            -- A name without an ability is that of the whole.
            lambda x_:
                contains(x_, '{ability}')
                OR contains(x_, '{' || b.level || '}')
                OR (b.ability_id = 0 AND NOT contains(replace(x_, '{split}', ''), '{'))
        ),
        lambda y_: metric_key(
            replace(
                replace(
                    replace(y_, '{split}', coalesce(b.split, 'none')),
                    '{' || b.level || '}', s.spelling
                ),
                '{ability}', s.spelling
            )
        )
    ) AS metrics
FROM benchmark_score AS b
INNER JOIN pattern AS p ON b.benchmark = p.benchmark AND b.figure_ordinal = p.ordinal
INNER JOIN spelt AS s ON b.ability_id = s.ability_id
WHERE p.patterns IS NOT NULL
