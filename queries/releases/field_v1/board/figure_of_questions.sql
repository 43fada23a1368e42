-- The figures that are made of questions' scores, for each ability: means and sums of ability_score,
-- and precision, recall and F1 of yes_count. Where a figure names a level, a question counts once for
-- each of its abilities there. One row per run, judge, figure and ability.
-- @internal
WITH score AS (
    SELECT
        a.run_id,
        a.judge,
        f.benchmark_id,
        f.ordinal,
        f.name,
        f.aggregate,
        f.level AS of_level,
        f.scale,
        a.ability_id,
        a.level,
        a.n,
        a.n_answered,
        a.n_missing,
        a.n_pending,
        CASE f.aggregate WHEN 'sum' THEN a.score_low * a.n ELSE a.score_low END AS low,
        CASE f.aggregate WHEN 'sum' THEN a.score_high * a.n ELSE a.score_high END AS high
    FROM declared_figure AS f
    INNER JOIN current_run AS r ON f.benchmark_id = r.benchmark_id
    INNER JOIN ability_score AS a
        ON
            r.run_id = a.run_id
            AND f.strategy = a.strategy
            AND a.average = CASE f.aggregate WHEN 'macro' THEN 'macro' ELSE 'micro' END
    WHERE NOT f.is_made_of_figures AND f.aggregate IN ('micro', 'macro', 'sum')
),

counted AS (
    SELECT
        f.benchmark_id,
        f.ordinal,
        f.name,
        f.aggregate,
        f.level AS of_level,
        f.scale,
        a.run_id,
        a.judge,
        a.ability_id,
        a.level,
        a.n,
        a.n_answered,
        a.n_missing,
        a.n_pending,
        y.n_said,
        y.n_yes,
        y.n_both
    FROM declared_figure AS f
    INNER JOIN current_run AS r ON f.benchmark_id = r.benchmark_id
    INNER JOIN ability_score AS a
        ON r.run_id = a.run_id AND f.strategy = a.strategy AND a.average = 'micro'
    INNER JOIN yes_count AS y
        ON a.run_id = y.run_id AND a.judge = y.judge AND a.ability_id = y.ability_id
    WHERE NOT f.is_made_of_figures AND f.aggregate IN ('precision', 'recall', 'f1')
),

-- Over the abilities of the level, in place of the whole dataset.
pooled_score AS (
    SELECT
        run_id,
        judge,
        ordinal,
        sum(n) AS n,
        sum(n_answered) AS n_answered,
        sum(n_missing) AS n_missing,
        sum(n_pending) AS n_pending,
        CASE max(aggregate) WHEN 'sum' THEN sum(low) ELSE sum(low * n) / nullif(sum(n), 0) END AS low,
        CASE max(aggregate) WHEN 'sum' THEN sum(high) ELSE sum(high * n) / nullif(sum(n), 0) END AS high
    FROM score
    WHERE level = of_level
    GROUP BY run_id, judge, ordinal
),

pooled_count AS (
    SELECT
        run_id,
        judge,
        ordinal,
        sum(n) AS n,
        sum(n_answered) AS n_answered,
        sum(n_missing) AS n_missing,
        sum(n_pending) AS n_pending,
        sum(n_said) AS n_said,
        sum(n_yes) AS n_yes,
        sum(n_both) AS n_both
    FROM counted
    WHERE level = of_level
    GROUP BY run_id, judge, ordinal
),

whole_count AS (
    SELECT
        c.run_id,
        c.judge,
        c.ordinal,
        c.name,
        c.aggregate,
        c.scale,
        c.ability_id,
        coalesce(p.n, c.n) AS n,
        coalesce(p.n_answered, c.n_answered) AS n_answered,
        coalesce(p.n_missing, c.n_missing) AS n_missing,
        coalesce(p.n_pending, c.n_pending) AS n_pending,
        coalesce(p.n_said, c.n_said) AS n_said,
        coalesce(p.n_yes, c.n_yes) AS n_yes,
        coalesce(p.n_both, c.n_both) AS n_both
    FROM counted AS c
    LEFT JOIN pooled_count AS p
        ON
            c.run_id = p.run_id
            AND c.judge = p.judge
            AND c.ordinal = p.ordinal
            AND c.ability_id = 0
            AND c.of_level IS NOT NULL
),

rated AS (
    SELECT
        *,
        -- Nothing was said, or nothing is to be found: 0, as scikit-learn has it.
        CASE aggregate
            WHEN 'precision' THEN coalesce(n_both / nullif(CAST(n_said AS DOUBLE), 0), 0)
            WHEN 'recall' THEN coalesce(n_both / nullif(CAST(n_yes AS DOUBLE), 0), 0)
            ELSE coalesce(2.0 * n_both / nullif(CAST(n_said + n_yes AS DOUBLE), 0), 0)
        END AS rate
    FROM whole_count
)

SELECT
    s.run_id,
    s.judge,
    s.ordinal,
    s.name,
    s.ability_id,
    s.scale * coalesce(p.low, s.low) AS low,
    s.scale * coalesce(p.high, s.high) AS high,
    coalesce(p.n, s.n) AS n,
    coalesce(p.n_answered, s.n_answered) AS n_answered,
    coalesce(p.n_missing, s.n_missing) AS n_missing,
    coalesce(p.n_pending, s.n_pending) AS n_pending
FROM score AS s
LEFT JOIN pooled_score AS p
    ON
        s.run_id = p.run_id
        AND s.judge = p.judge
        AND s.ordinal = p.ordinal
        AND s.ability_id = 0
        AND s.of_level IS NOT NULL
UNION ALL
SELECT
    run_id,
    judge,
    ordinal,
    name,
    ability_id,
    CASE WHEN n_pending = 0 THEN scale * rate ELSE 0 END AS low,
    CASE WHEN n_pending = 0 THEN scale * rate ELSE scale END AS high,
    n,
    n_answered,
    n_missing,
    n_pending
FROM rated
