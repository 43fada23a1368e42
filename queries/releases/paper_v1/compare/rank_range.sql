-- The ranks that a run's sampling error leaves open: it could be anywhere from after those that are
-- surely better to before those that are surely worse. Two runs differ where their scores differ by
-- more than t/√2 times the sum of their standard errors, so that of two with about the same error
-- their difference is outside its own 95 % interval (Goldstein and Healy 1995, "The Graphical
-- Presentation of a Collection of Means", Journal of the Royal Statistical Society A 158). Where
-- every question came out alike, so that there is no standard error to go by, it is the Wilson
-- interval. This takes the runs for independent: models tend to fail on the same questions, so that
-- `paired_difference` separates more pairs; where errors differ much, as those of macro averages
-- may, somewhat more than 5 % of pairs differ by chance. It looks at each pair by itself, and at
-- each run in order of its score, so that it costs no more than a rank. One row per run with an
-- interval, subset, strategy, judge, level, ability and average.
-- @stderr Standard error of the score, clustered by image.
-- @low Lower end of the score's own 95 % interval (score_interval).
-- @high Its upper end.
-- @best The best rank that it could have among all runs; as good as `rank` or better.
-- @worst The worst one.
-- @best_latest The best one among each model's latest run only; NULL for the other runs.
-- @worst_latest The worst one there.
WITH ranged AS (
    SELECT
        run_id, benchmark, dataset, model, run, dataset_id, is_latest, subset, strategy, judge,
        level, ability, ability_id, average, score, stderr, low, high,
        -- The ends that do not touch those of a run that is surely better or worse.
        round(
            CASE
                WHEN stderr = 0 THEN coalesce(wilson_low, score)
                ELSE score - t_975(degrees) * stderr / sqrt(2.0)
            END,
            12
        ) AS least,
        round(
            CASE
                WHEN stderr = 0 THEN coalesce(wilson_high, score)
                ELSE score + t_975(degrees) * stderr / sqrt(2.0)
            END,
            12
        ) AS most
    FROM score_interval
    WHERE degrees IS NOT NULL AND stderr IS NOT NULL
),

ends AS (
    SELECT 1 AS is_least
    UNION ALL
    SELECT 0 AS is_least
),

-- Both ends of every run in one order from above, an end from above before one from below at the
-- same place.
counted AS (
    SELECT
        r.*, e.is_least,
        sum(e.is_least) OVER (
            PARTITION BY
                r.benchmark, r.dataset, r.dataset_id, r.subset, r.strategy, r.judge, r.level, r.ability_id,
                r.average
            ORDER BY CASE WHEN e.is_least = 1 THEN r.least ELSE r.most END DESC, e.is_least
        ) AS n_better,
        sum(1 - e.is_least) OVER (
            PARTITION BY
                r.benchmark, r.dataset, r.dataset_id, r.subset, r.strategy, r.judge, r.level, r.ability_id,
                r.average
            ORDER BY CASE WHEN e.is_least = 1 THEN r.least ELSE r.most END DESC, e.is_least
        ) AS n_not_worse,
        sum(e.is_least) OVER (
            PARTITION BY
                r.benchmark, r.dataset, r.dataset_id, r.subset, r.strategy, r.judge, r.level, r.ability_id,
                r.average, r.is_latest
            ORDER BY CASE WHEN e.is_least = 1 THEN r.least ELSE r.most END DESC, e.is_least
        ) AS n_better_latest,
        sum(1 - e.is_least) OVER (
            PARTITION BY
                r.benchmark, r.dataset, r.dataset_id, r.subset, r.strategy, r.judge, r.level, r.ability_id,
                r.average, r.is_latest
            ORDER BY CASE WHEN e.is_least = 1 THEN r.least ELSE r.most END DESC, e.is_least
        ) AS n_not_worse_latest
    FROM ranged AS r
    CROSS JOIN ends AS e
)

SELECT
    run_id, benchmark, dataset, model, run, dataset_id, is_latest, subset, strategy, judge, level,
    ability, ability_id, average, score, stderr, low, high,
    CAST(1 + max(CASE WHEN is_least = 0 THEN n_better END) AS BIGINT) AS best,
    CAST(max(CASE WHEN is_least = 1 THEN n_not_worse END) AS BIGINT) AS worst,
    CAST(1 + max(CASE WHEN is_least = 0 AND is_latest THEN n_better_latest END) AS BIGINT) AS best_latest,
    CAST(max(CASE WHEN is_least = 1 AND is_latest THEN n_not_worse_latest END) AS BIGINT) AS worst_latest
FROM counted
GROUP BY
    run_id, benchmark, dataset, model, run, dataset_id, is_latest, subset, strategy, judge, level,
    ability, ability_id, average, score, stderr, low, high
