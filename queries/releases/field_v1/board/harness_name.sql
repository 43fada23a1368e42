-- What harnesses call the figures of benchmark_score and crossed_score, as far as a benchmark's
-- folder says; those of other benchmarks of choices are called as VLMEvalKit does. An ability has
-- several spellings. One row per run, judge, figure, ability (or pair of them) and spelling.
-- @internal
-- @metrics Its names, as metric_key gives them.
WITH spelt AS (
    SELECT ability_id, spelling
    FROM main.ability_spelling
    UNION
    SELECT ability_id, name AS spelling
    FROM main.ability
    UNION ALL
    SELECT 0 AS ability_id, 'overall' AS spelling
),

pattern AS (
    SELECT
        benchmark_id, benchmark, ordinal, name, strategy, aggregate,
        metrics IS NULL AND ordinal = 0 AND name = 'Overall' AS is_named_alike,
        CASE
            WHEN metrics IS NOT NULL THEN metrics
            WHEN ordinal = 0 AND name = 'Overall' THEN ['split={split}|{ability}', 'split=none|{ability}']
        END AS patterns
    FROM declared_figure
)

SELECT
    b.run_id, b.judge, b.dataset, b.figure, b.figure_ordinal, b.level, b.ability, b.ability_ordinal,
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
INNER JOIN spelt AS s USING (ability_id)
WHERE p.patterns IS NOT NULL
UNION ALL
SELECT
    c.run_id, c.judge, r.dataset, c.figure, c.figure_ordinal,
    c.level || ', ' || c.other_level AS level, a.name || ', ' || o.name AS ability,
    a.ordinal AS ability_ordinal, c.score,
    list_transform(
        list_filter(
            p.patterns,
            lambda x_:
                contains(x_, '{' || c.level || '}') AND contains(x_, '{' || c.other_level || '}')
        ),
        lambda y_: metric_key(
            replace(
                replace(y_, '{' || c.level || '}', s.spelling), '{' || c.other_level || '}', z.spelling
            )
        )
    ) AS metrics
FROM crossed_score AS c
INNER JOIN current_run AS r USING (run_id)
INNER JOIN pattern AS p ON r.benchmark_id = p.benchmark_id AND c.figure_ordinal = p.ordinal
INNER JOIN main.ability AS a USING (ability_id)
INNER JOIN spelt AS s USING (ability_id)
INNER JOIN main.ability AS o ON c.other_ability_id = o.ability_id
INNER JOIN spelt AS z ON c.other_ability_id = z.ability_id
UNION ALL
-- An average of abilities has those that it is made of as its parts, each by its questions.
SELECT
    a.run_id, a.judge, a.dataset, p.name AS figure, p.ordinal AS figure_ordinal, a.level, a.ability,
    a.ability_ordinal, a.score,
    list_transform(
        p.patterns,
        lambda y_: metric_key(
            replace(replace(y_, '{split}', coalesce(a.split, 'none')), '{ability}', s.spelling)
        )
    ) AS metrics
FROM ability_score AS a
INNER JOIN pattern AS p
    ON a.benchmark = p.benchmark AND a.strategy = p.strategy AND p.aggregate = 'macro' AND p.is_named_alike
INNER JOIN spelt AS s USING (ability_id)
WHERE
    a.average = 'micro'
    AND a.ability_id <> 0
    AND a.ability_id NOT IN (SELECT ability_id FROM ability_base)
UNION ALL
SELECT *
FROM question_figure
