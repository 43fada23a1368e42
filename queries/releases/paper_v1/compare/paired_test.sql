-- From the sums of paired_sum to differences, their errors and tests. What each column is, and by
-- which formula, stands at paired_difference. One row per pair of runs, strategy, judge, subset and
-- ability, every pair in both orders.
-- @internal
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model.
-- @model_b The second run's.
-- @n_common Questions that both datasets have.
-- @n Those that both runs answered; everything is over them.
-- @n_missing_a Questions left out because the first run has no answer to a pass.
-- @n_missing_b Questions left out because the second run has none.
-- @n_pending Questions of which a pending verdict could still change a score.
-- @n_hidden Questions whose answer is hidden.
-- @n_clusters The n questions, those with the same images counted once.
-- @weight_a What the first run's score is over: n, under vanilla_all the passes of its questions.
-- @weight_b The same of the second run's.
-- @score_a The first run's mean score over the questions; under vanilla_all over their passes, as
--   boards have it.
-- @score_b The second run's mean score.
-- @difference score_a less score_b.
-- @stderr_questions Standard error of the difference if every question were independent of the
--   others; NULL: fewer than two.
-- @stderr Standard error of the difference, clustered by image; equal to stderr_questions where no
--   two questions share their images. NULL: fewer than two clusters.
-- @low Lower end of the difference's 95 % interval; NULL where all differences are the same, so
--   that its width is unknown.
-- @high Its upper end.
-- @correlation Pearson's, of both runs' scores; NULL: a run scored all questions alike.
-- @degrees Degrees of freedom of t.
-- @t_statistic The difference in standard errors; NULL: all differences are the same.
-- @t_p_value How likely a t so far from 0 is without a difference, on either side.
-- @n_a_alone Questions that only the first run has right; NULL: scores are not right or wrong
--   alone.
-- @n_b_alone Questions that only the second run has right.
-- @mcnemar_p_value McNemar's test, exact: how likely a split of those as uneven is at even odds, if
--   every question is independent of the others.
-- @chi_square McNemar's statistic with the correction for continuity; NULL: no such questions.
-- @chi_square_p_value Its probability, with one degree of freedom.
-- @test Whose p_value it is: mcnemar (exact) of right and wrong where no two questions share their
--   images, and where else the release's macro is_mcnemar says so; else t.
-- @p_value How likely a difference so large is by chance alone.
WITH settled AS (
    SELECT
        *,
        n > 0
        AND (strategy IN ('vanilla', 'circular') OR strategy LIKE 'group:%')
        AND n_fractions = 0 AS is_right_or_wrong,
        CASE WHEN n > 0 AND n_pending = 0 AND n_hidden = 0 THEN (total_a - total_b) / n END AS mean_difference,
        CASE
            WHEN n > 0 AND n_pending = 0 AND n_hidden = 0
                THEN
                    CASE
                        WHEN strategy = 'vanilla_all' THEN weighted_a / weight_a - weighted_b / weight_b
                        ELSE (total_a - total_b) / n
                    END
        END AS difference
    FROM paired_sum
),

spread AS (
    SELECT
        *,
        -- What rounding leaves of no spread at all is none.
        CASE
            WHEN squares_a + squares_b - 2 * products - n * mean_difference * mean_difference < 1e-12 * n THEN 0.0
            ELSE squares_a + squares_b - 2 * products - n * mean_difference * mean_difference
        END AS residuals,
        cluster_squares - 2 * mean_difference * cluster_products + mean_difference * mean_difference * cluster_sizes
            AS cluster_residuals,
        CASE
            WHEN squares_a - total_a * total_a / nullif(n, 0) > 1e-12 * n
                THEN squares_a - total_a * total_a / nullif(n, 0)
        END AS spread_a,
        CASE
            WHEN squares_b - total_b * total_b / nullif(n, 0) > 1e-12 * n
                THEN squares_b - total_b * total_b / nullif(n, 0)
        END AS spread_b,
        CASE WHEN is_right_or_wrong AND difference IS NOT NULL THEN n_a_alone + n_b_alone END AS n_apart,
        CASE
            WHEN NOT is_right_or_wrong OR difference IS NULL THEN NULL
            WHEN n_a_alone > n_b_alone THEN n_b_alone
            ELSE n_a_alone
        END AS n_fewer
    FROM settled
),

measured AS (
    SELECT
        *,
        CASE WHEN n > 1 THEN sqrt(residuals / (1e0 * n * (n - 1))) END AS stderr_questions,
        CASE
            WHEN n_clusters < 2 THEN NULL
            WHEN residuals = 0 THEN 0.0
            ELSE sqrt((cluster_residuals + residuals / (n - 1)) / (1e0 * n * n))
        END AS stderr,
        CASE WHEN n_clusters > 1 AND difference IS NOT NULL THEN n_clusters - 1 END AS degrees,
        CASE
            WHEN n_clusters > 1 AND residuals > 0
                THEN difference / sqrt((cluster_residuals + residuals / (n - 1)) / (1e0 * n * n))
        END AS t_statistic,
        (products - total_a * total_b / nullif(n, 0)) / sqrt(spread_a * spread_b) AS correlation,
        CASE
            WHEN n_apart > 0 AND n_apart - 2 * n_fewer > 1
                THEN 1e0 * (n_apart - 2 * n_fewer - 1) * (n_apart - 2 * n_fewer - 1) / n_apart
            WHEN n_apart > 0 THEN 0.0
        END AS chi_square
    FROM spread
),

-- Each tail of a distribution is an integral from there; what stands before it comes below.
integrated AS (
    SELECT
        m.*,
        CAST(
            sum(CAST(t_integrand(abs(m.t_statistic), m.degrees, h.place) * h.weight AS DECIMAL(25, 18))) AS DOUBLE
        ) AS t_tail,
        CAST(sum(CAST(t_integrand(0.0, m.degrees, h.place) * h.weight AS DECIMAL(25, 18))) AS DOUBLE) AS t_half,
        CAST(
            sum(CAST(exp(-h.place * (h.place / 2 + sqrt(m.chi_square))) * h.weight AS DECIMAL(25, 18))) AS DOUBLE
        ) AS normal_tail,
        CAST(
            sum(CAST(binomial_integrand(m.n_fewer, m.n_apart, h.place) * h.weight AS DECIMAL(25, 18))) AS DOUBLE
        ) AS binomial_tail
    FROM measured AS m
    CROSS JOIN half_line AS h
    GROUP BY ALL
),

tested AS (
    SELECT
        *,
        -- Runs that score every question alike do not differ at all.
        CASE
            WHEN degrees IS NOT NULL AND residuals = 0 AND difference = 0 THEN 1.0
            ELSE t_p_value(t_statistic, degrees, t_tail, t_half)
        END AS t_chance,
        -- Twice the normal distribution's tail from the root of chi-square on.
        exp(-chi_square / 2) * normal_tail * 0.7978845608028654 AS chi_square_chance,
        binomial_p_value(n_fewer, n_apart, binomial_tail) AS mcnemar_chance
    FROM integrated
)

SELECT
    run_a, run_b, model_a, model_b, strategy, judge, subset, ability_id, n_common, n, n_missing_a,
    n_missing_b, n_pending, n_hidden, n_clusters, weight_a, weight_b,
    CASE WHEN difference IS NOT NULL THEN weighted_a / weight_a END AS score_a,
    CASE WHEN difference IS NOT NULL THEN weighted_b / weight_b END AS score_b,
    difference, stderr_questions, stderr,
    CASE WHEN stderr > 0 THEN difference - t_975(degrees) * stderr END AS low,
    CASE WHEN stderr > 0 THEN difference + t_975(degrees) * stderr END AS high,
    CASE WHEN difference IS NOT NULL THEN correlation END AS correlation,
    degrees, t_statistic, probability(t_chance) AS t_p_value,
    CASE WHEN is_right_or_wrong AND difference IS NOT NULL THEN n_a_alone END AS n_a_alone,
    CASE WHEN is_right_or_wrong AND difference IS NOT NULL THEN n_b_alone END AS n_b_alone,
    probability(mcnemar_chance) AS mcnemar_p_value, chi_square,
    probability(chi_square_chance) AS chi_square_p_value,
    CASE WHEN is_right_or_wrong AND is_mcnemar(n_clusters, n, n_apart) THEN 'mcnemar' ELSE 't' END AS test,
    CASE
        WHEN is_right_or_wrong AND is_mcnemar(n_clusters, n, n_apart) THEN probability(mcnemar_chance)
        ELSE probability(t_chance)
    END AS p_value
FROM tested
