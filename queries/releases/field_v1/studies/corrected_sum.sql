-- The cells of label_cell added up over strata: what corrections of a score by a person rest on.
-- One row per run, judge, person and ability.
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
-- @estimate_squares The strata's squared estimates by their share of the questions.
-- @ruled_part What rules read adds to the mean.
-- @ruled_error What it adds to the variance.
-- @ruled_share Its share of the questions.
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
)

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
