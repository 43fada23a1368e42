-- Figures for two abilities at once, such as a duration and a type of task: of the levels that a
-- name of the figure in its benchmark's folder has both of ({duration}|task_type|{task_type}).
-- Means, sums and counts of questions' scores. One row per run, judge, figure and pair of abilities
-- with a question in common.
-- @hook Gets question_result; must keep one row per run, judge, figure and pair of abilities.
-- @table per run
-- @key judge figure ability_id other_ability_id
-- @figure_ordinal Its place in the benchmark's list; 0 is the main figure.
-- @figure The figure's name.
-- @level The first level.
-- @other_level The other level.
-- @ability_id The ability on the first level.
-- @other_ability_id The ability on the other level.
-- @score As the benchmark scales it; NULL while pending or hidden.
-- @n Questions of both abilities.
WITH tier AS (
    SELECT DISTINCT benchmark_id, level
    FROM main.ability
    WHERE superseded_by IS NULL
),

pair AS (
    SELECT
        f.benchmark_id, f.ordinal, f.name, f.aggregate, f.strategy, f.scale, a.level,
        b.level AS other_level
    FROM declared_figure AS f
    INNER JOIN tier AS a USING (benchmark_id)
    INNER JOIN tier AS b ON f.benchmark_id = b.benchmark_id AND a.level < b.level
    WHERE
        f.aggregate IN ('micro', 'sum', 'count')
        AND array_length(
            list_filter(
                f.metrics,
                lambda x_: contains(x_, '{' || a.level || '}') AND contains(x_, '{' || b.level || '}')
            )
        ) > 0
),

scored AS (
    SELECT
        q.run_id, q.judge, p.ordinal, p.name, p.aggregate, p.scale, p.level, p.other_level,
        a.ability_id, b.ability_id AS other_ability_id, q.score_low, q.score_high
    FROM pair AS p
    INNER JOIN main.ability AS a USING (benchmark_id, level)
    INNER JOIN main.ability AS b ON p.benchmark_id = b.benchmark_id AND p.other_level = b.level
    INNER JOIN question_level AS x ON a.ability_id = x.ability_id
    INNER JOIN question_level AS y ON b.ability_id = y.ability_id AND x.question_id = y.question_id
    INNER JOIN question_result AS q ON x.question_id = q.question_id AND p.strategy = q.strategy
    WHERE q.n_expected > 0 AND q.counted
),

summed AS (
    SELECT
        run_id, judge, ordinal, name, aggregate, scale, level, other_level, ability_id,
        other_ability_id, count(*) AS n,
        CASE WHEN count(score_low) = count(*) THEN sum(CAST(score_low AS DECIMAL(25, 15))) END AS low,
        CASE WHEN count(score_low) = count(*) THEN sum(CAST(score_high AS DECIMAL(25, 15))) END AS high
    FROM scored
    GROUP BY
        run_id, judge, ordinal, name, aggregate, scale, level, other_level, ability_id,
        other_ability_id
)

SELECT
    run_id, judge, name AS figure, ordinal AS figure_ordinal, level, other_level, ability_id,
    other_ability_id,
    round(
        scale * CASE
            WHEN aggregate = 'count' THEN CAST(n AS DOUBLE)
            WHEN low < high THEN NULL
            WHEN aggregate = 'sum' THEN CAST(low AS DOUBLE)
            ELSE CAST(low AS DOUBLE) / n
        END,
        10
    ) AS score,
    CAST(n AS BIGINT) AS n
FROM summed
