-- What each question adds to the error of its run's corrected score over the questions of an
-- ability (ppi of corrected_score, over questions): its influence, so that the sum of the squares
-- is the variance, and the sum of the products of two runs' the covariance, as both had the same
-- questions. One row per run, ability, question, judge and person, where the run has an estimate.
-- @internal
-- @influence Sums to 0 over the run's questions of the ability.
WITH cells AS (
    SELECT
        c.*, s.estimate AS whole, s.n AS n_all,
        sum(CASE WHEN c.is_judged THEN 1 ELSE 0 END) OVER (
            PARTITION BY c.run_id, c.judge, c.person, c.ability_id
        ) AS n_strata
    FROM label_cell AS c
    INNER JOIN corrected_score AS s
        ON
            c.run_id = s.run_id
            AND c.judge = s.judge
            AND c.person = s.person
            AND c.ability_id = s.ability_id
            AND s.average = 'micro'
            AND s.correction = 'ppi'
            AND s.estimate IS NOT NULL
),

placed AS (
    SELECT
        q.run_id, q.dataset_id, c.ability_id, q.question_id, q.judge, q.person, q.judge_score,
        q.person_score, c.is_judged, c.n, c.n_labelled, c.n_all, c.n_strata, c.judge_weight,
        c.estimate, c.whole,
        avg(CASE WHEN q.person_score IS NULL THEN q.judge_score END) OVER (
            PARTITION BY q.run_id, q.judge, q.person, c.ability_id, q.stratum
        ) AS other_mean,
        avg(q.person_score - coalesce(c.judge_weight, 0.0) * q.judge_score) OVER (
            PARTITION BY q.run_id, q.judge, q.person, c.ability_id, q.stratum
        ) AS rectifier
    FROM labelled_question AS q
    INNER JOIN question_level AS v USING (question_id)
    INNER JOIN cells AS c
        ON
            q.run_id = c.run_id
            AND v.ability_id = c.ability_id
            AND q.judge = c.judge
            AND q.person = c.person
            AND q.stratum IS NOT DISTINCT FROM c.stratum
)

SELECT
    run_id, dataset_id, ability_id, question_id, judge, person, whole AS estimate,
    (1e0 * n) / n_all * CASE
        WHEN NOT is_judged THEN (judge_score - estimate) / n
        WHEN person_score IS NULL THEN judge_weight * (judge_score - other_mean) / (n - n_labelled)
        ELSE
            (person_score - judge_weight * judge_score - rectifier) / n_labelled
            * CASE WHEN n_strata > 1 AND n_labelled > 1 THEN sqrt((1e0 * n_labelled) / (n_labelled - 1)) ELSE 1.0 END
    END
    + (estimate - whole) / n_all AS influence
FROM placed
