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
-- own. Both take questions and labels for independent draws. One row per run, judge, person, level,
-- ability, average and method, of the benchmark's own strategy over the whole dataset.
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
-- @stderr Its standard error.
-- @low Lower end of its 95 % interval; of rg not below 0.
-- @high Upper end; of rg not above 1.
-- @reason Why there is no estimate; NULL: there is one.
WITH counted AS (
    SELECT
        *,
        sum(CASE WHEN is_judged THEN 1 ELSE 0 END) OVER (PARTITION BY run_id, judge, person, ability_id) AS n_strata,
        sum(n) OVER (PARTITION BY run_id, judge, person, ability_id) AS n_all
    FROM label_cell
),

cells AS (
    SELECT
        *,
        (1e0 * n) / n_all AS share,
        variance
        + CASE WHEN is_judged AND n_strata > 1 THEN rectifier_variance / nullif(n_labelled - 1, 0) ELSE 0.0 END AS error
    FROM counted
),

summed AS (
    SELECT
        run_id,
        benchmark_id,
        strategy,
        judge,
        person,
        ability_id,
        max(n_all) AS n,
        sum(n_pending) AS n_pending,
        sum(CASE WHEN is_judged THEN n ELSE 0 END) AS n_judged,
        sum(CASE WHEN is_judged THEN n_labelled ELSE 0 END) AS n_labelled,
        sum(CASE WHEN is_judged THEN n_soft ELSE 0 END) AS n_soft,
        min(CASE WHEN is_judged AND n_labelled < n AND n_labelled < 2 THEN 0 ELSE 1 END) AS is_enough,
        sum(points) AS points,
        sum(CASE WHEN is_judged THEN points ELSE 0.0 END) AS judged_points,
        sum(CASE WHEN is_judged THEN judge_weight * n ELSE 0.0 END) AS judge_weights,
        sum(share * estimate) AS estimate,
        sum(share * share * error) AS error,
        sum(share * estimate * estimate) AS estimate_squares,
        sum(CASE WHEN is_judged THEN 0.0 ELSE share * estimate END) AS ruled_part,
        sum(CASE WHEN is_judged THEN 0.0 ELSE share * share * variance END) AS ruled_error,
        sum(CASE WHEN is_judged THEN 0.0 ELSE share END) AS ruled_share
    FROM cells
    GROUP BY run_id, benchmark_id, strategy, judge, person, ability_id
),

rated AS (
    SELECT
        s.*,
        CASE WHEN m.n_right_effective >= 5 AND m.n_wrong_effective >= 5 THEN 'model' ELSE 'benchmark'
            END AS calibrated_on,
        CASE WHEN m.n_right_effective >= 5 AND m.n_wrong_effective >= 5 THEN m.sensitivity ELSE c.sensitivity
            END AS q_right,
        CASE WHEN m.n_right_effective >= 5 AND m.n_wrong_effective >= 5 THEN m.specificity ELSE c.specificity
            END AS q_wrong,
        CASE
            WHEN m.n_right_effective >= 5 AND m.n_wrong_effective >= 5 THEN m.n_right_effective ELSE c.n_right_effective
        END AS m_right,
        CASE
            WHEN m.n_right_effective >= 5 AND m.n_wrong_effective >= 5 THEN m.n_wrong_effective ELSE c.n_wrong_effective
        END AS m_wrong,
        s.judged_points / nullif(s.n_judged, 0) AS p
    FROM summed AS s
    INNER JOIN main.benchmark AS b ON s.benchmark_id = b.benchmark_id
    LEFT JOIN judge_calibration AS c
        ON s.judge = c.judge AND s.person = c.person AND b.name = c.benchmark AND c.scope = 'benchmark'
    LEFT JOIN judge_calibration AS m
        ON s.judge = m.judge AND s.person = m.person AND s.run_id = m.run_id AND m.scope = 'model'
),

-- The counts that the adjusted interval adds: z squared to the questions, one of each kind to the
-- labels.
adjusted AS (
    SELECT
        *,
        (n_judged * p + 1.9207294103470) / (n_judged + 3.8414588206941) AS p_,
        (m_wrong * q_wrong + 1) / (m_wrong + 2) AS q0,
        (m_right * q_right + 1) / (m_right + 2) AS q1
    FROM rated
),

inverted AS (
    SELECT
        *,
        (p + q_wrong - 1) / nullif(q_right + q_wrong - 1, 0) AS raw_theta,
        (p_ + q0 - 1) / nullif(q0 + q1 - 1, 0) AS theta,
        q0 * (1 - q0) / (m_wrong + 2) AS v0,
        q1 * (1 - q1) / (m_right + 2) AS v1
    FROM adjusted
),

-- Of the run's own labels. A question adds to the estimate what the judge says of it, where it is
-- of the ability, and where it is labelled how far that is off what the judge says of what is right
-- or wrong; k_wrong and k_right are what one label counts for.
centered AS (
    SELECT
        *,
        CASE WHEN raw_theta < 0 THEN 0.0 WHEN raw_theta > 1 THEN 1.0 ELSE raw_theta END AS judged_theta,
        -- Off 0 and 1 by half a question.
        CASE
            WHEN theta * n_judged < 0.5 THEN 0.5 / nullif(n_judged, 0)
            WHEN (1 - theta) * n_judged < 0.5 THEN 1 - 0.5 / nullif(n_judged, 0)
            ELSE theta
        END AS share_right
    FROM inverted
),

weighed AS (
    SELECT
        c.*,
        w.n_judged * w.share_right AS run_right,
        w.n_judged * (1 - w.share_right) AS run_wrong,
        c.share_right / nullif(w.n_judged * w.share_right, 0) AS k_right,
        (1 - c.share_right) / nullif(w.n_judged * (1 - w.share_right), 0) AS k_wrong,
        w.is_enough AS run_is_enough
    FROM centered AS c
    INNER JOIN centered AS w
        ON c.run_id = w.run_id AND c.judge = w.judge AND c.person = w.person AND w.ability_id = 0
),

-- What the choice of the labels adds, from the spread over the labels of each of the run's strata.
drawn AS (
    SELECT
        w.run_id,
        w.judge,
        w.person,
        w.ability_id,
        sum(
            (1e0 * l.n) * (l.n - l.n_labelled) / l.n_labelled * (
                w.slope_y * w.slope_y * l.label_points
                + w.k_wrong * w.k_wrong * l.label_judge_points
                + w.slope_product * w.slope_product * l.label_products
                + 2 * (
                    w.slope_y * w.slope_product - w.slope_y * w.k_wrong - w.k_wrong * w.slope_product
                ) * l.label_products
                - (w.slope_y * l.label_points - w.k_wrong * l.label_judge_points + w.slope_product * l.label_products)
                * (w.slope_y * l.label_points - w.k_wrong * l.label_judge_points + w.slope_product * l.label_products)
                / l.n_labelled
            ) / (l.n_labelled - 1)
        ) AS error
    FROM (
        SELECT
            *,
            k_right * q1 - k_wrong * (1 - q0) AS slope_y,
            k_wrong - k_right AS slope_product
        FROM weighed
    ) AS w
    INNER JOIN label_cell AS l
        ON w.run_id = l.run_id AND w.judge = l.judge AND w.person = l.person AND l.ability_id = 0
    WHERE l.is_judged AND l.n_labelled > 1
    GROUP BY w.run_id, w.judge, w.person, w.ability_id
),

erred AS (
    SELECT
        w.*,
        CASE
            WHEN w.calibrated_on = 'model' AND w.run_is_enough = 1 THEN w.judged_theta
            ELSE w.theta + 7.6829176413882 * (w.theta * w.v1 - (1 - w.theta) * w.v0)
        END AS center,
        CASE
            WHEN w.calibrated_on = 'model' AND w.run_is_enough = 1
                THEN w.share_right * (1 - w.share_right) / nullif(w.n_judged, 0)
                    + (
                        (1 - w.share_right) * w.n_judged * q0 * (1 - q0)
                        * (1e0 / nullif(w.n_judged, 0) - w.k_wrong) * (1e0 / nullif(w.n_judged, 0) - w.k_wrong)
                        + w.share_right * w.n_judged * q1 * (1 - q1)
                        * (1e0 / nullif(w.n_judged, 0) - w.k_right) * (1e0 / nullif(w.n_judged, 0) - w.k_right)
                        + CASE
                            WHEN w.run_wrong > (1 - w.share_right) * w.n_judged
                                THEN (w.run_wrong - (1 - w.share_right) * w.n_judged)
                                    * q0 * (1 - q0) * w.k_wrong * w.k_wrong
                            ELSE 0.0
                        END
                        + CASE
                            WHEN w.run_right > w.share_right * w.n_judged
                                THEN (w.run_right - w.share_right * w.n_judged)
                                    * q1 * (1 - q1) * w.k_right * w.k_right
                            ELSE 0.0
                        END
                        + abs(d.error)
                    ) / nullif((q0 + q1 - 1) * (q0 + q1 - 1), 0)
            ELSE
                (
                    w.p_ * (1 - w.p_) / (w.n_judged + 3.8414588206941)
                    + (1 - w.theta) * (1 - w.theta) * w.v0
                    + w.theta * w.theta * w.v1
                ) / nullif((q0 + q1 - 1) * (q0 + q1 - 1), 0)
        END AS theta_error
    FROM weighed AS w
    LEFT JOIN drawn AS d
        ON w.run_id = d.run_id AND w.judge = d.judge AND w.person = d.person AND w.ability_id = d.ability_id
),

joined AS (
    SELECT
        *,
        ruled_part + (1 - ruled_share) * judged_theta AS rg_estimate,
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
    FROM erred
),

micro AS (
    SELECT
        run_id,
        benchmark_id,
        strategy,
        judge,
        person,
        ability_id,
        'micro' AS average,
        'ppi' AS corrected_by,
        n,
        n_judged,
        n_labelled,
        CASE WHEN n_pending = 0 THEN points / n END AS score,
        judge_weights / nullif(n_judged, 0) AS judge_weight,
        CAST(NULL AS DOUBLE) AS sensitivity,
        CAST(NULL AS DOUBLE) AS specificity,
        CAST(NULL AS VARCHAR) AS calibrated_on,
        CASE WHEN ppi_reason IS NULL THEN estimate END AS estimate,
        CASE WHEN ppi_reason IS NULL THEN ppi_error END AS stderr,
        CASE WHEN ppi_reason IS NULL THEN estimate - 1.959963984540054 * ppi_error END AS low,
        CASE WHEN ppi_reason IS NULL THEN estimate + 1.959963984540054 * ppi_error END AS high,
        ppi_reason AS reason
    FROM joined
    UNION ALL
    SELECT
        run_id,
        benchmark_id,
        strategy,
        judge,
        person,
        ability_id,
        'micro' AS average,
        'rg' AS corrected_by,
        n,
        n_judged,
        n_labelled,
        CASE WHEN n_pending = 0 THEN points / n END AS score,
        CAST(NULL AS DOUBLE) AS judge_weight,
        q_right AS sensitivity,
        q_wrong AS specificity,
        CASE WHEN q_right IS NOT NULL THEN calibrated_on END AS calibrated_on,
        CASE WHEN rg_reason IS NULL THEN CASE WHEN n_judged = 0 THEN estimate ELSE rg_estimate END END AS estimate,
        CASE WHEN rg_reason IS NULL THEN CASE WHEN n_judged = 0 THEN ppi_error ELSE rg_error END END AS stderr,
        CASE
            WHEN rg_reason IS NOT NULL THEN NULL
            WHEN n_judged = 0 THEN estimate - 1.959963984540054 * ppi_error
            WHEN rg_center - 1.959963984540054 * rg_error < 0 THEN 0.0
            ELSE rg_center - 1.959963984540054 * rg_error
        END AS low,
        CASE
            WHEN rg_reason IS NOT NULL THEN NULL
            WHEN n_judged = 0 THEN estimate + 1.959963984540054 * ppi_error
            WHEN rg_center + 1.959963984540054 * rg_error > 1 THEN 1.0
            ELSE rg_center + 1.959963984540054 * rg_error
        END AS high,
        rg_reason AS reason
    FROM joined
),

macro AS (
    SELECT
        m.run_id,
        m.benchmark_id,
        m.strategy,
        m.judge,
        m.person,
        b.ability_id,
        'macro' AS average,
        m.corrected_by,
        count(*) AS n_bases,
        avg(m.score) AS score,
        count(m.score) AS n_scores,
        avg(m.estimate) AS estimate,
        count(m.estimate) AS n_estimates,
        sqrt(sum(m.stderr * m.stderr)) / count(*) AS stderr
    FROM micro AS m
    INNER JOIN ability_base AS b ON m.benchmark_id = b.benchmark_id AND m.ability_id = b.base_id
    GROUP BY m.run_id, m.benchmark_id, m.strategy, m.judge, m.person, b.ability_id, m.corrected_by
),

both_averages AS (
    SELECT * FROM micro
    UNION ALL
    SELECT
        m.run_id,
        m.benchmark_id,
        m.strategy,
        m.judge,
        m.person,
        m.ability_id,
        'macro' AS average,
        m.corrected_by,
        i.n,
        i.n_judged,
        i.n_labelled,
        CASE WHEN m.n_scores = m.n_bases THEN m.score END AS score,
        CAST(NULL AS DOUBLE) AS judge_weight,
        i.sensitivity,
        i.specificity,
        i.calibrated_on,
        CASE WHEN m.n_estimates = m.n_bases THEN m.estimate END AS estimate,
        CASE WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi' THEN m.stderr END AS stderr,
        CASE
            WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi' THEN m.estimate - 1.959963984540054 * m.stderr
        END AS low,
        CASE
            WHEN m.n_estimates = m.n_bases AND m.corrected_by = 'ppi' THEN m.estimate + 1.959963984540054 * m.stderr
        END AS high,
        CASE
            WHEN m.n_estimates < m.n_bases THEN coalesce(i.reason, 'an ability that it averages has no estimate')
            WHEN m.corrected_by = 'rg' THEN 'abilities share one calibration: no interval of a macro average'
        END AS reason
    FROM macro AS m
    INNER JOIN micro AS i
        ON
            m.run_id = i.run_id
            AND m.judge = i.judge
            AND m.person = i.person
            AND m.ability_id = i.ability_id
            AND m.corrected_by = i.corrected_by
)

SELECT
    s.run_id,
    r.benchmark,
    r.dataset,
    r.version,
    r.split,
    r.language,
    r.model,
    r.run,
    r.dataset_id,
    r.is_latest,
    s.strategy,
    s.judge,
    s.person,
    t.level,
    t.ability,
    t.abbreviation,
    t.ordinal AS ability_ordinal,
    t.ability_id,
    t.parent_id,
    s.average,
    s.corrected_by AS correction,
    CAST(s.n AS BIGINT) AS n,
    CAST(s.n_judged AS BIGINT) AS n_judged,
    CAST(s.n_labelled AS BIGINT) AS n_labelled,
    s.score,
    s.judge_weight,
    s.sensitivity,
    s.specificity,
    s.calibrated_on,
    s.estimate,
    s.stderr,
    s.low,
    s.high,
    s.reason
FROM both_averages AS s
INNER JOIN current_run AS r ON s.run_id = r.run_id
INNER JOIN ability_tree AS t ON r.benchmark_id = t.benchmark_id AND s.ability_id = t.ability_id
