-- The cells of label_cell added up over strata, and from them the share of right answers among
-- those that a judge decides, from the share that it has right, its sensitivity and its
-- specificity: see rg of corrected_score. One row per run, judge, person and ability.
-- @internal
-- @person The person's name as a judge.
-- @n Questions.
-- @n_pending Questions without a score.
-- @n_judged Questions that the judge decides.
-- @n_labelled Of those, labelled as a whole by the person.
-- @n_soft Of those, with a score that is neither right nor wrong.
-- @is_enough 0: a stratum that is not labelled as a whole has fewer than 2 labels; else 1.
-- @points What the judge scored them, added up.
-- @judged_points The same of those that the judge decides.
-- @judge_weights The weights of the strata, each as often as it has questions.
-- @estimate The prediction-powered mean.
-- @error Its variance within the strata.
-- @below Added to the lower half of the interval, squared: what strata may be below their estimates
--   where labels show no spread; of what rules read where no judge decides anything.
-- @above The same of the upper half.
-- @n_cells Strata, what rules read included.
-- @estimate_squares The strata's squared estimates by their share of the questions.
-- @ruled_part What rules read adds to the mean.
-- @ruled_error What it adds to the variance.
-- @ruled_share Its share of the questions.
-- @calibrated_on model or benchmark, whose labels sensitivity and specificity are of.
-- @q_right Sensitivity.
-- @q_wrong Specificity.
-- @m_right Effective number of labels that sensitivity is over.
-- @m_wrong The same of specificity.
-- @p The share that the judge has right.
-- @q1 Sensitivity with one right and one wrong label more.
-- @q0 Specificity with one of each more.
-- @judged_theta The estimate, from 0 to 1.
-- @center The middle of its interval.
-- @theta_error Its variance.
-- What is below is read once each: an engine plans it as often as it is named.
WITH cell AS (
    SELECT *
    FROM label_cell
),

rate AS (
    SELECT *
    FROM judge_calibration
),

counted AS (
    SELECT
        *,
        sum(CASE WHEN is_judged THEN 1 ELSE 0 END) OVER (PARTITION BY run_id, judge, person, ability_id) AS n_strata,
        sum(n) OVER (PARTITION BY run_id, judge, person, ability_id) AS n_all
    FROM cell
),

cells AS (
    SELECT
        *, (1e0 * n) / n_all AS share,
        variance
        + CASE WHEN is_judged AND n_strata > 1 THEN rectifier_variance / nullif(n_labelled - 1, 0) ELSE 0.0 END AS error
    FROM counted
),

summed AS (
    SELECT
        run_id, benchmark_id, strategy, judge, person, ability_id, CAST(max(n_all) AS BIGINT) AS n,
        CAST(sum(n_pending) AS BIGINT) AS n_pending,
        CAST(sum(CASE WHEN is_judged THEN n ELSE 0 END) AS BIGINT) AS n_judged,
        CAST(sum(CASE WHEN is_judged THEN n_labelled ELSE 0 END) AS BIGINT) AS n_labelled,
        CAST(sum(CASE WHEN is_judged THEN n_soft ELSE 0 END) AS BIGINT) AS n_soft,
        min(CASE WHEN is_judged AND n_labelled < n AND n_labelled < 2 THEN 0 ELSE 1 END) AS is_enough,
        sum(points) AS points, sum(CASE WHEN is_judged THEN points ELSE 0.0 END) AS judged_points,
        sum(CASE WHEN is_judged THEN judge_weight * n ELSE 0.0 END) AS judge_weights,
        sum(share * estimate) AS estimate, sum(share * share * error) AS error,
        sum(CASE WHEN is_judged OR n_strata = 0 THEN share * share * below * below ELSE 0.0 END) AS below,
        sum(CASE WHEN is_judged OR n_strata = 0 THEN share * share * above * above ELSE 0.0 END) AS above,
        count(*) AS n_cells, sum(share * estimate * estimate) AS estimate_squares,
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
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    LEFT JOIN rate AS c
        ON s.judge = c.judge AND s.person = c.person AND b.name = c.benchmark AND c.scope = 'benchmark'
    LEFT JOIN rate AS m
        ON s.judge = m.judge AND s.person = m.person AND s.run_id = m.run_id AND m.scope = 'model'
),

-- The counts that the adjusted interval adds: z squared to the questions, one of each kind to the
-- labels.
adjusted AS (
    SELECT
        *, (n_judged * p + 1.9207294103470) / (n_judged + 3.8414588206941) AS p_,
        (m_wrong * q_wrong + 1) / (m_wrong + 2) AS q0, (m_right * q_right + 1) / (m_right + 2) AS q1
    FROM rated
),

inverted AS (
    SELECT
        *, (p + q_wrong - 1) / nullif(q_right + q_wrong - 1, 0) AS raw_theta,
        (p_ + q0 - 1) / nullif(q0 + q1 - 1, 0) AS theta, q0 * (1 - q0) / (m_wrong + 2) AS v0,
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
        c.*, w.n_judged * w.share_right AS run_right, w.n_judged * (1 - w.share_right) AS run_wrong,
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
        w.run_id, w.judge, w.person, w.ability_id,
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
        SELECT *, k_right * q1 - k_wrong * (1 - q0) AS slope_y, k_wrong - k_right AS slope_product
        FROM weighed
    ) AS w
    INNER JOIN cell AS l
        ON w.run_id = l.run_id AND w.judge = l.judge AND w.person = l.person AND l.ability_id = 0
    WHERE l.is_judged AND l.n_labelled > 1
    GROUP BY w.run_id, w.judge, w.person, w.ability_id
)

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
LEFT JOIN drawn AS d USING (run_id, judge, person, ability_id)
