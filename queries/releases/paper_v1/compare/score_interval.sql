-- How far a score could be off because the dataset's questions are a sample: standard errors and 95
-- % intervals (Miller, "Adding Error Bars to Evals", arXiv 2411.00640: over questions, Section 2.1;
-- clustered where questions share their images, equation 4 in Section 2.2). In place of Miller's
-- 1.96 stands Student's t with one degree of freedom less than there are clusters, which becomes
-- 1.96 where there are many and is wide where there are few. Of right and wrong answers the Wilson
-- interval is given too (Wilson 1927, Journal of the American Statistical Association 22), which
-- holds with few questions and at 0 or 1. Under vanilla_all the errors are those of the mean over
-- questions, as if each had as many passes. A macro average takes its abilities as strata: the root
-- of the sum of their squared errors, and of what questions on the same images in several abilities
-- add (see shared_ability_sum), over their number; its degrees of freedom are Satterthwaite's
-- (1946, Biometrics Bulletin 2). Everything is NULL while the score is. One row per run, subset,
-- strategy, judge, level, ability and average.
-- @n_clusters Questions, those with the same images counted once.
-- @score Over all n questions, missing ones wrong; NULL while pending or hidden.
-- @stderr_questions Standard error of the score if every question were independent of the others;
--   NULL: fewer than two.
-- @stderr Standard error, clustered by image; equal to stderr_questions where no two questions
--   share their images. NULL: fewer than two clusters.
-- @degrees Degrees of freedom of Student's t; of a macro average Satterthwaite's, rounded down.
-- @low The score less t times stderr; not cut off at 0. NULL where every question came out alike,
--   so that its width is unknown.
-- @high The score and t times stderr; not cut off at 1.
-- @n_effective Of right and wrong answers: independent questions that would give as narrow an
--   interval, at most n.
-- @wilson_low Lower end of the Wilson interval over n_effective questions; NULL: scores are not
--   right or wrong alone, or an average of averages.
-- @wilson_high Its upper end.
WITH adjusted AS (
    SELECT
        s.*,
        CASE WHEN s.score IS NOT NULL THEN s.n - coalesce(c.n_extra, 0) END AS n_independent,
        CASE WHEN s.score IS NOT NULL THEN s.stderr * s.stderr END AS variance_questions,
        CASE
            WHEN s.score IS NULL OR s.n - coalesce(c.n_extra, 0) < 2 THEN NULL
            WHEN c.n_extra IS NULL OR s.stderr = 0 THEN s.stderr * s.stderr
            ELSE
                s.stderr * s.stderr
                + (c.products - 2 * (s.points / s.n) * c.sums + (s.points / s.n) * (s.points / s.n) * c.n_pairs)
                / (1e0 * s.n * s.n)
        END AS variance
    FROM subset_score AS s
    LEFT JOIN shared_image_sum AS c USING (run_id, subset, strategy, judge, ability_id)
),

strata AS (
    SELECT
        a.run_id, a.subset, a.strategy, a.judge, b.ability_id, count(*) AS n_strata,
        count(a.variance) AS n_known, sum(a.n_independent) AS n_independent,
        sum(CAST(a.variance_questions AS DECIMAL(25, 20))) AS variance_questions,
        sum(CAST(a.variance AS DECIMAL(25, 20))) AS variance,
        -- For Satterthwaite's degrees of freedom: an ability of few questions leaves few.
        sum(CAST(a.variance * a.variance / nullif(a.n_independent - 1, 0) AS DECIMAL(35, 30))) AS variance_squares
    FROM adjusted AS a
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN ability_base AS b ON r.benchmark_id = b.benchmark_id AND a.ability_id = b.base_id
    WHERE a.average = 'micro'
    GROUP BY a.run_id, a.subset, a.strategy, a.judge, b.ability_id
),

with_degrees AS (
    SELECT
        a.*,
        CASE
            WHEN a.average = 'macro' AND a.score IS NOT NULL THEN t.n_independent - coalesce(c.n_extra, 0)
            ELSE a.n_independent
        END AS n_clusters,
        CASE
            WHEN a.average <> 'macro' THEN a.n_independent - 1
            WHEN a.score IS NULL OR t.n_known < t.n_strata THEN NULL
            WHEN t.variance_squares > 0
                THEN
                    round(
                        CAST(t.variance AS DOUBLE) * CAST(t.variance AS DOUBLE)
                        / CAST(t.variance_squares AS DOUBLE) - 0.4999999, 0
                    )
            ELSE t.n_independent - t.n_strata
        END AS degrees,
        CASE
            WHEN a.average <> 'macro' THEN sqrt(a.variance_questions)
            WHEN a.score IS NOT NULL AND t.n_known = t.n_strata
                THEN sqrt(CAST(t.variance_questions AS DOUBLE)) / t.n_strata
        END AS error_questions,
        CASE
            WHEN a.average <> 'macro' THEN sqrt(CASE WHEN a.variance < 0 THEN 0.0 ELSE a.variance END)
            WHEN a.score IS NOT NULL AND t.n_known = t.n_strata
                THEN sqrt(
                    CASE
                        WHEN CAST(t.variance AS DOUBLE) + coalesce(c.products, 0.0) < 0 THEN 0.0
                        ELSE CAST(t.variance AS DOUBLE) + coalesce(c.products, 0.0)
                    END
                ) / t.n_strata
        END AS error,
        -- Only where each score is 0 or 1 is the spread as wide as the mean allows.
        a.average = 'micro'
        AND a.strategy IN ('vanilla', 'circular')
        AND abs(a.variance_questions * (a.n - 1) - a.score * (1 - a.score)) < 1e-9 AS is_right_or_wrong
    FROM adjusted AS a
    LEFT JOIN strata AS t USING (run_id, subset, strategy, judge, ability_id)
    LEFT JOIN shared_ability_sum AS c USING (run_id, subset, strategy, judge, ability_id)
),

sized AS (
    SELECT
        *,
        CASE
            WHEN NOT is_right_or_wrong OR error IS NULL THEN NULL
            WHEN error = 0 THEN 1.0 * n_clusters
            WHEN error <= error_questions THEN 1.0 * n
            ELSE n * (error_questions / error) * (error_questions / error)
        END AS n_effective
    FROM with_degrees
)

SELECT
    run_id, benchmark, dataset, version, split, language, model, run, dataset_id, is_latest, method,
    subset, strategy, judge, level, ability, abbreviation, ability_ordinal, ability_id, parent_id,
    average, n, n_answered, n_pending, n_fallback, n_missing, score,
    CAST(n_clusters AS BIGINT) AS n_clusters, error_questions AS stderr_questions, error AS stderr,
    CAST(CASE WHEN error IS NOT NULL THEN degrees END AS BIGINT) AS degrees,
    CASE WHEN error > 0 THEN score - t_975(degrees) * error END AS low,
    CASE WHEN error > 0 THEN score + t_975(degrees) * error END AS high,
    n_effective, wilson(score, n_effective, -1) AS wilson_low,
    wilson(score, n_effective, 1) AS wilson_high
FROM sized
