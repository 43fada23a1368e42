-- The figures that are made of questions' scores, for each ability: means and sums of
-- ability_score, precision, recall and F1 of answer_count, and what judged_sum counts. Where a
-- figure names a level, a question counts once for each of its abilities there. One row per run,
-- judge, figure and ability.
-- @internal
WITH scored AS (
    SELECT
        a.run_id, a.judge, f.ordinal, f.name, f.aggregate, f.scale, a.ability_id, a.n, a.n_answered,
        a.n_missing, a.n_pending, a.score_low * a.n AS points_low,
        a.score_high * a.n AS points_high, coalesce(y.n_unread, 0) AS n_unread,
        coalesce(y.n_said, 0) AS n_said, coalesce(y.n_yes, 0) AS n_yes,
        coalesce(y.n_both, 0) AS n_both, coalesce(w.n_ruled, 0) AS n_ruled,
        coalesce(w.n_read, 0) AS n_read, w.points, w.reference_points,
        -- The whole takes the place of its abilities' pool, where the figure names their level.
        CASE WHEN a.ability_id = 0 AND f.level IS NOT NULL THEN 1 ELSE 0 END AS is_pool,
        CASE WHEN a.level = f.level THEN 1 ELSE 0 END AS is_pooled
    FROM declared_figure AS f
    INNER JOIN ability_score AS a
        ON
            f.benchmark = a.benchmark
            AND f.strategy = a.strategy
            AND a.average = CASE f.aggregate WHEN 'macro' THEN 'macro' ELSE 'micro' END
    LEFT JOIN answer_count AS y USING (run_id, judge, ability_id)
    LEFT JOIN judged_sum AS w USING (run_id, judge, ability_id)
    WHERE NOT f.is_made_of_figures
),

pooled AS (
    SELECT
        *, sum(is_pooled * n) OVER (PARTITION BY run_id, judge, ordinal) AS pool_n,
        sum(is_pooled * n_answered) OVER (PARTITION BY run_id, judge, ordinal) AS pool_n_answered,
        sum(is_pooled * n_missing) OVER (PARTITION BY run_id, judge, ordinal) AS pool_n_missing,
        sum(is_pooled * n_pending) OVER (PARTITION BY run_id, judge, ordinal) AS pool_n_pending,
        sum(is_pooled * n_unread) OVER (PARTITION BY run_id, judge, ordinal) AS pool_n_unread,
        sum(CASE WHEN is_pooled = 1 THEN points_low END) OVER (PARTITION BY run_id, judge, ordinal) AS pool_low,
        sum(CASE WHEN is_pooled = 1 THEN points_high END) OVER (PARTITION BY run_id, judge, ordinal) AS pool_high,
        sum(is_pooled * n_said) OVER (PARTITION BY run_id, judge, ordinal) AS pool_said,
        sum(is_pooled * n_yes) OVER (PARTITION BY run_id, judge, ordinal) AS pool_yes,
        sum(is_pooled * n_both) OVER (PARTITION BY run_id, judge, ordinal) AS pool_both
    FROM scored
),

counted AS (
    SELECT
        run_id, judge, ordinal, name, aggregate, scale, ability_id,
        CASE is_pool WHEN 1 THEN pool_n ELSE n END AS n,
        CASE is_pool WHEN 1 THEN pool_n_answered ELSE n_answered END AS n_answered,
        CASE is_pool WHEN 1 THEN pool_n_missing ELSE n_missing END AS n_missing,
        CASE is_pool WHEN 1 THEN pool_n_pending ELSE n_pending END AS n_pending,
        CASE is_pool WHEN 1 THEN pool_n_unread ELSE n_unread END AS n_unread,
        CASE is_pool WHEN 1 THEN pool_low ELSE points_low END AS points_low,
        CASE is_pool WHEN 1 THEN pool_high ELSE points_high END AS points_high,
        CAST(CASE is_pool WHEN 1 THEN pool_said ELSE n_said END AS DOUBLE) AS n_said,
        CAST(CASE is_pool WHEN 1 THEN pool_yes ELSE n_yes END AS DOUBLE) AS n_yes,
        CAST(CASE is_pool WHEN 1 THEN pool_both ELSE n_both END AS DOUBLE) AS n_both,
        CAST(n_ruled AS DOUBLE) AS n_ruled, CAST(n_read AS DOUBLE) AS n_read, points,
        reference_points
    FROM pooled
),

rated AS (
    SELECT
        *,
        -- Nothing was said, or nothing is to be found: 0, as scikit-learn has it.
        CASE aggregate
            WHEN 'precision' THEN coalesce(n_both / nullif(n_said, 0), 0)
            WHEN 'recall' THEN coalesce(n_both / nullif(n_yes, 0), 0)
            WHEN 'f1' THEN coalesce(2.0 * n_both / nullif(n_said + n_yes, 0), 0)
            WHEN 'ruled' THEN n_ruled
            WHEN 'share_ruled' THEN n_ruled / nullif(n, 0)
        END AS rate,
        -- Without a verdict there is no mean of them.
        CASE aggregate
            WHEN 'read' THEN points / nullif(n_read, 0)
            WHEN 'reference' THEN reference_points / nullif(n_read, 0)
            WHEN 'relative' THEN points / nullif(reference_points, 0)
        END AS mean_read
    FROM counted
)

SELECT
    run_id, judge, ordinal, name, ability_id,
    scale * CASE
        WHEN aggregate = 'sum' THEN points_low
        WHEN aggregate = 'count' THEN n
        WHEN aggregate IN ('read', 'reference', 'relative')
            THEN CASE WHEN n_pending = 0 THEN mean_read ELSE 0 END
        WHEN rate IS NULL THEN points_low / nullif(n, 0)
        WHEN n_pending = 0 THEN rate
        ELSE 0
    END AS low,
    scale * CASE
        WHEN aggregate = 'sum' THEN points_high
        WHEN aggregate = 'count' THEN n
        WHEN aggregate IN ('read', 'reference', 'relative')
            THEN CASE WHEN n_pending = 0 THEN mean_read ELSE 1 END
        WHEN rate IS NULL THEN points_high / nullif(n, 0)
        WHEN n_pending = 0 THEN rate
        ELSE 1
    END AS high,
    n, n_answered, n_missing, n_pending, n_unread
FROM rated
