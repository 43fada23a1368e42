-- Scores that rest on a judge's verdicts, corrected by what a person says of some of them, by two
-- methods. ppi: prediction-powered (PPI++, arXiv 2311.01453; by strata as in arXiv 2406.04291, but
-- the shares of the strata are those of these questions and vary as questions do, and within
-- several strata variances are over n - 1). rg: Rogan and Gladen, for right and wrong alone;
-- sensitivity and specificity are those of the run where five labels of each kind count there, else
-- those of the benchmark. With the benchmark's it has the adjusted interval of arXiv 2511.21140
-- (Lang and Reiczigel 2014), which takes the labels for other answers than the run's. The run's own
-- are a part of its answers (double sampling, Tenenbein 1970, Journal of the American Statistical
-- Association 65), and there the estimate is the person's mean over the labels of each stratum plus
-- what the judge has in all more than in these by sensitivity + specificity - 1, whose variance by
-- the delta method is taken. Answers that rules read need no correction and are a stratum of their
-- own. Both take questions and labels for independent draws. Where the labels of a stratum are all
-- alike, or the judge agrees with all of them, they show no spread, or none of the judge's: there
-- ppi has the exact bound of Clopper and Pearson (Biometrika 26, 1934) for what may be otherwise,
-- and what several strata have on a side is squared and added (Zou and Donner, Statistics in
-- Medicine 27, 2008). One row per run, judge, person, level, ability, average and method, of the
-- benchmark's own strategy over the whole dataset.
-- @person The person's name as a judge.
-- @score As the board has it, under the judge alone; NULL while pending.
-- @correction ppi or rg.
-- @n Questions.
-- @n_judged Questions that the judge decides.
-- @n_labelled Of those, labelled as a whole by the person.
-- @judge_weight ppi: how much the judge's scores count, 0 to 1, over the strata by their questions.
-- @sensitivity rg: of what the person has right, the share that the judge has right.
-- @specificity rg: of what the person has wrong, the share that the judge has wrong.
-- @calibrated_on rg: model or benchmark, whose labels these are.
-- @estimate The corrected score; NULL: see reason.
-- @stderr Its standard error; NULL: labels show no spread, see interval_kind.
-- @low Lower end of its 95 % interval; not below 0 but for normal ones of ppi.
-- @high Upper end; not above 1 but for normal ones of ppi.
-- @interval_kind normal; exact: Clopper and Pearson's, of labels that are all alike; partly exact:
--   that of some strata, or of what the judge may have wrong, and normal for the rest. NULL: no
--   interval.
-- @reason Why there is no estimate; NULL: there is one.
WITH joined AS (
    SELECT
        *, ruled_part + (1 - ruled_share) * judged_theta AS rg_estimate,
        ruled_part + (1 - ruled_share) * center AS rg_center,
        -- Of two parts, how many questions are in which varies too.
        sqrt(
            ruled_error + (1 - ruled_share) * (1 - ruled_share) * theta_error
            + CASE
                WHEN ruled_share > 0
                    THEN ruled_share * (1 - ruled_share)
                        * (ruled_part / ruled_share - judged_theta) * (ruled_part / ruled_share - judged_theta) / n
                ELSE 0.0
            END
        ) AS rg_error,
        -- What rounding leaves of no spread between strata is none.
        sqrt(
            error + CASE
                WHEN estimate_squares - estimate * estimate > 1e-14 THEN (estimate_squares - estimate * estimate) / n
                ELSE 0.0
            END
        ) AS ppi_error,
        CASE
            WHEN n_pending > 0 THEN 'verdicts are pending'
            WHEN n_judged = 0 THEN NULL
            WHEN n_labelled < 10 AND n_labelled < n_judged THEN 'fewer than 10 labels'
            WHEN is_enough = 0 THEN 'a stratum has fewer than 2 labels'
        END AS ppi_reason,
        CASE
            WHEN n_pending > 0 THEN 'verdicts are pending'
            WHEN n_judged = 0 THEN NULL
            WHEN n_soft > 0 OR q_right IS NULL AND q_wrong IS NULL THEN 'scores are not right or wrong alone'
            WHEN coalesce(m_right, 0) < 5 OR coalesce(m_wrong, 0) < 5 THEN 'fewer than 5 labels right or wrong'
            WHEN q_right + q_wrong <= 1 OR q0 + q1 <= 1 THEN 'the judge is no better than chance'
        END AS rg_reason
    FROM rogan_gladen
),

powered AS (
    SELECT
        *,
        CASE
            WHEN below + above = 0 THEN 'normal'
            WHEN n_cells = 1 AND ppi_error < 1e-7 THEN 'exact'
            ELSE 'partly exact'
        END AS ppi_kind,
        estimate - sqrt(3.8414588206941 * ppi_error * ppi_error + below) AS ppi_low,
        estimate + sqrt(3.8414588206941 * ppi_error * ppi_error + above) AS ppi_high
    FROM joined
),

bounded AS (
    SELECT
        *,
        CASE WHEN ppi_kind = 'normal' THEN ppi_error END AS ppi_stderr,
        CASE WHEN ppi_kind <> 'normal' AND ppi_low < 0 THEN 0.0 ELSE ppi_low END AS ppi_from,
        CASE WHEN ppi_kind <> 'normal' AND ppi_high > 1 THEN 1.0 ELSE ppi_high END AS ppi_to
    FROM powered
),

micro AS (
    SELECT
        run_id, benchmark_id, strategy, judge, person, ability_id, 'micro' AS average,
        'ppi' AS corrected_by, n, n_judged, n_labelled,
        CASE WHEN n_pending = 0 THEN points / n END AS score,
        judge_weights / nullif(n_judged, 0) AS judge_weight, CAST(NULL AS DOUBLE) AS sensitivity,
        CAST(NULL AS DOUBLE) AS specificity, CAST(NULL AS VARCHAR) AS calibrated_on,
        CASE WHEN ppi_reason IS NULL THEN estimate END AS estimate,
        CASE WHEN ppi_reason IS NULL THEN ppi_stderr END AS stderr,
        CASE WHEN ppi_reason IS NULL THEN ppi_from END AS low,
        CASE WHEN ppi_reason IS NULL THEN ppi_to END AS high,
        CASE WHEN ppi_reason IS NULL THEN ppi_kind END AS interval_kind,
        ppi_reason AS reason
    FROM bounded
    UNION ALL
    SELECT
        run_id, benchmark_id, strategy, judge, person, ability_id, 'micro' AS average,
        'rg' AS corrected_by, n, n_judged, n_labelled,
        CASE WHEN n_pending = 0 THEN points / n END AS score,
        CAST(NULL AS DOUBLE) AS judge_weight, q_right AS sensitivity, q_wrong AS specificity,
        CASE WHEN q_right IS NOT NULL THEN calibrated_on END AS calibrated_on,
        CASE WHEN rg_reason IS NULL THEN CASE WHEN n_judged = 0 THEN estimate ELSE rg_estimate END END AS estimate,
        CASE WHEN rg_reason IS NULL THEN CASE WHEN n_judged = 0 THEN ppi_stderr ELSE rg_error END END AS stderr,
        CASE
            WHEN rg_reason IS NOT NULL THEN NULL
            WHEN n_judged = 0 THEN ppi_from
            WHEN rg_center - 1.959963984540054 * rg_error < 0 THEN 0.0
            ELSE rg_center - 1.959963984540054 * rg_error
        END AS low,
        CASE
            WHEN rg_reason IS NOT NULL THEN NULL
            WHEN n_judged = 0 THEN ppi_to
            WHEN rg_center + 1.959963984540054 * rg_error > 1 THEN 1.0
            ELSE rg_center + 1.959963984540054 * rg_error
        END AS high,
        CASE WHEN rg_reason IS NULL THEN CASE WHEN n_judged = 0 THEN ppi_kind ELSE 'normal' END END AS interval_kind,
        rg_reason AS reason
    FROM bounded
),

macro AS (
    SELECT
        m.run_id, m.benchmark_id, m.strategy, m.judge, m.person, b.ability_id, 'macro' AS average,
        m.corrected_by, count(*) AS n_bases, avg(m.score) AS score, count(m.score) AS n_scores,
        avg(m.estimate) AS estimate, count(m.estimate) AS n_estimates, count(m.stderr) AS n_errors,
        sqrt(sum(m.stderr * m.stderr)) / count(*) AS stderr,
        sqrt(sum((m.estimate - m.low) * (m.estimate - m.low))) / count(*) AS below,
        sqrt(sum((m.high - m.estimate) * (m.high - m.estimate))) / count(*) AS above
    FROM micro AS m
    INNER JOIN ability_base AS b ON m.benchmark_id = b.benchmark_id AND m.ability_id = b.base_id
    GROUP BY m.run_id, m.benchmark_id, m.strategy, m.judge, m.person, b.ability_id, m.corrected_by
),

both_averages AS (
    SELECT * FROM micro
    UNION ALL
    SELECT
        m.run_id, m.benchmark_id, m.strategy, m.judge, m.person, m.ability_id, 'macro' AS average,
        m.corrected_by, i.n, i.n_judged, i.n_labelled,
        CASE WHEN m.n_scores = m.n_bases THEN m.score END AS score,
        CAST(NULL AS DOUBLE) AS judge_weight, i.sensitivity, i.specificity, i.calibrated_on,
        CASE WHEN m.n_estimates = m.n_bases THEN m.estimate END AS estimate,
        CASE
            WHEN m.n_estimates = m.n_bases AND m.n_errors = m.n_bases AND m.corrected_by = 'ppi' THEN m.stderr
        END AS stderr,
        CASE WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi' THEN m.estimate - m.below END AS low,
        CASE WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi' THEN m.estimate + m.above END AS high,
        CASE
            WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi'
                THEN CASE WHEN m.n_errors = m.n_bases THEN 'normal' ELSE 'partly exact' END
        END AS interval_kind,
        CASE
            WHEN m.n_estimates < m.n_bases THEN coalesce(i.reason, 'an ability that it averages has no estimate')
            WHEN m.corrected_by = 'rg' THEN 'abilities share one calibration: no interval of a macro average'
        END AS reason
    FROM macro AS m
    INNER JOIN micro AS i USING (run_id, judge, person, ability_id, corrected_by)
)

SELECT
    s.run_id, r.benchmark, r.dataset, r.version, r.split, r.language, r.model, r.run, r.dataset_id,
    r.is_latest, s.strategy, s.judge, s.person, t.level, t.ability, t.abbreviation,
    t.ordinal AS ability_ordinal, t.ability_id, t.parent_id, s.average,
    s.corrected_by AS correction, CAST(s.n AS BIGINT) AS n, CAST(s.n_judged AS BIGINT) AS n_judged,
    CAST(s.n_labelled AS BIGINT) AS n_labelled, s.score, s.judge_weight, s.sensitivity,
    s.specificity, s.calibrated_on, s.estimate, s.stderr, s.low, s.high, s.interval_kind, s.reason
FROM both_averages AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_tree AS t ON r.benchmark_id = t.benchmark_id AND s.ability_id = t.ability_id
