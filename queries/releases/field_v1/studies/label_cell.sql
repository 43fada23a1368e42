-- The prediction-powered mean of the questions of a run that one stratum holds, by ability
-- (Angelopoulos, Duchi and Zrnic, PPI++, arXiv 2311.01453: the mean of Section 2, the weight of the
-- judge as tuned there and cut to 0 … 1). Labelled and other questions are two samples of the
-- stratum. What no judge decides is a stratum of its own (NULL) that needs no label. One row per
-- run, judge, person, ability and stratum.
-- @internal
-- @person The person's name as a judge.
-- @stratum As in labelled_question.
-- @n Questions.
-- @n_labelled Those that are labelled.
-- @points What the judge scored all of them, added up.
-- @label_points Of the labelled ones, what the person scored them, added up.
-- @label_judge_points Of the labelled ones, what the judge scored them, added up.
-- @label_products Of the labelled ones, both scores multiplied, added up.
-- @judge_weight The weight of the judge's scores; 0 where all are labelled, or the judge's scores
--   are all the same.
-- @estimate The estimate; NULL: too few labels.
-- @variance Of the estimate, with n and not n - 1, as in the paper.
-- @below How far the stratum may be below the estimate for what its labels do not show of spread:
--   where they are all alike, or the judge agrees with all of them. Clopper and Pearson's: with n
--   labels alike a share of 0.025 ^ (1 / n) at least is so. 0: they show spread.
-- @above The same above it.
WITH summed AS (
    SELECT
        q.run_id, q.benchmark_id, q.strategy, q.judge, q.person, q.task, v.ability_id, q.stratum,
        q.is_judged, count(*) AS n, count(q.judge_score) AS n_known,
        count(q.person_score) AS n_labelled,
        sum(CASE WHEN q.judge_score IN (0.0, 1.0) AND coalesce(q.person_score, 0.0) IN (0.0, 1.0) THEN 0
            ELSE 1 END) AS n_soft,
        sum(q.judge_score) AS points, sum(q.judge_score * q.judge_score) AS squares,
        sum(CASE WHEN q.person_score IS NOT NULL THEN q.judge_score ELSE 0.0 END) AS f,
        sum(CASE WHEN q.person_score IS NOT NULL THEN q.judge_score * q.judge_score ELSE 0.0 END) AS ff,
        sum(coalesce(q.person_score, 0.0)) AS y,
        sum(coalesce(q.person_score * q.person_score, 0.0)) AS yy,
        sum(coalesce(q.person_score * q.judge_score, 0.0)) AS yf,
        min(CASE WHEN q.is_judged THEN q.person_score ELSE q.judge_score END) AS lowest,
        max(CASE WHEN q.is_judged THEN q.person_score ELSE q.judge_score END) AS highest,
        sum(CASE WHEN q.person_score <> q.judge_score THEN 1 ELSE 0 END) AS n_apart
    FROM labelled_question AS q
    INNER JOIN question_level AS v USING (question_id)
    GROUP BY
        q.run_id, q.benchmark_id, q.strategy, q.judge, q.person, q.task, v.ability_id, q.stratum, q.is_judged
),

spread AS (
    SELECT
        *, n - n_labelled AS n_other,
        yf / nullif(n_labelled, 0) - (y / nullif(n_labelled, 0)) * (f / nullif(n_labelled, 0)) AS covariance,
        (squares - points * points / n) / nullif(n - 1, 0) AS f_variance
    FROM summed
),

weighed AS (
    SELECT
        *,
        CASE
            -- What rounding leaves of no spread is none.
            WHEN n_other = 0 OR f_variance IS NULL OR f_variance < 1e-12 OR covariance <= 0 THEN 0.0
            WHEN covariance > (1 + (1e0 * n_labelled) / n_other) * f_variance THEN 1.0
            ELSE covariance / ((1 + (1e0 * n_labelled) / n_other) * f_variance)
        END AS judge_weight
    FROM spread
),

estimated AS (
    SELECT
        *,
        CASE WHEN n_other > 0 THEN (points - f) / n_other ELSE 0.0 END AS other_mean,
        CASE WHEN n_other > 0 THEN (squares - ff) / n_other ELSE 0.0 END AS other_square,
        (y - judge_weight * f) / nullif(n_labelled, 0) AS rectifier,
        (yy - 2 * judge_weight * yf + judge_weight * judge_weight * ff) / nullif(n_labelled, 0) AS rectifier_square
    FROM weighed
),

-- The share at most that is otherwise than all labels are, at 97.5 %; where no judge decides, all
-- questions are known.
bounded AS (
    SELECT
        *,
        CASE
            WHEN is_judged AND n_labelled = 0 THEN NULL
            ELSE 1 - exp(ln(0.025) / CASE WHEN is_judged THEN n_labelled ELSE n END)
        END AS otherwise,
        judge_weight * other_mean + rectifier AS powered
    FROM estimated
)

SELECT
    run_id, benchmark_id, strategy, judge, person, task, ability_id, stratum, is_judged, n,
    n - n_known AS n_pending, n_labelled, CAST(n_soft AS BIGINT) AS n_soft, points,
    y AS label_points, f AS label_judge_points, yf AS label_products,
    CASE WHEN is_judged THEN judge_weight END AS judge_weight,
    CASE
        WHEN n_known < n THEN NULL
        WHEN NOT is_judged THEN points / n
        ELSE powered
    END AS estimate,
    CASE
        WHEN n_known < n THEN NULL
        WHEN NOT is_judged THEN abs(squares / n - (points / n) * (points / n)) / n
        ELSE
            judge_weight * judge_weight * abs(other_square - other_mean * other_mean) / CASE WHEN n_other > 0
                THEN n_other ELSE 1 END
            + abs(rectifier_square - rectifier * rectifier) / n_labelled
    END AS variance,
    abs(rectifier_square - rectifier * rectifier) / nullif(n_labelled, 0) AS rectifier_variance,
    CASE
        WHEN lowest = highest THEN lowest * otherwise
        WHEN n_apart > 0 OR n_other = 0 OR NOT is_judged THEN 0.0
        WHEN powered < otherwise THEN powered
        ELSE otherwise
    END AS below,
    CASE
        WHEN lowest = highest THEN (1 - lowest) * otherwise
        WHEN n_apart > 0 OR n_other = 0 OR NOT is_judged THEN 0.0
        WHEN 1 - powered < otherwise THEN 1 - powered
        ELSE otherwise
    END AS above
FROM bounded
