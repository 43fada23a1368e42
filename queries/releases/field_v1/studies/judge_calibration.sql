-- How far a judge is right by what a person says: over the questions of runs that the judge decides
-- and the person labelled, each by the inverse of its chance of being drawn (main.label_unit).
-- Right is a score of 1, wrong one of 0; where scores are soft, there are errors alone. Intervals
-- are Wilson's over the effective number of labels (Kish 1965), which is their number where all
-- have the same chance. One row per judge, person, task, release, benchmark and scope.
-- @person The person's name as a judge.
-- @release The release whose rules read the verdicts of both, and say which answers need one.
-- @scope benchmark, model (one run) or ability.
-- @name The benchmark's, model's or ability's name.
-- @run_id Of the scope model the run; else NULL.
-- @ability_id Of the scope ability the ability; else NULL.
-- @n Labelled questions.
-- @n_both_right Right by the judge and the person; this and the next three NULL where scores are
--   soft.
-- @n_judge_alone Right by the judge alone.
-- @n_person_alone Right by the person alone.
-- @n_neither Right by neither.
-- @agreement Share, by weight, of which both say the same.
-- @sensitivity Of what the person has right, the share that the judge has right.
-- @sensitivity_low Lower end of its Wilson interval.
-- @sensitivity_high Its upper end.
-- @specificity Of what the person has wrong, the share that the judge has wrong.
-- @specificity_low Lower end of its Wilson interval.
-- @specificity_high Its upper end.
-- @n_right_effective Effective number of labels that sensitivity is over.
-- @n_wrong_effective Effective number of labels that specificity is over.
-- @kappa Cohen's kappa, by weight; NULL: undefined.
-- @mean_error Mean of the judge's score less the person's, by weight.
-- @error_variance Variance of that error, by weight.
WITH labelled AS (
    SELECT
        *, 1 / chance AS weight,
        CASE WHEN judge_score = 1.0 THEN 1.0 ELSE 0.0 END AS f,
        CASE WHEN person_score = 1.0 THEN 1.0 ELSE 0.0 END AS y,
        CASE WHEN judge_score IN (0.0, 1.0) AND person_score IN (0.0, 1.0) THEN 0 ELSE 1 END AS is_soft
    FROM labelled_question
    WHERE person_score IS NOT NULL AND judge_score IS NOT NULL
),

scoped AS (
    SELECT
        'benchmark' AS scope, CAST(NULL AS INTEGER) AS run_id, CAST(NULL AS INTEGER) AS ability_id,
        benchmark_id, judge, person, task, judge_score, person_score, weight, f, y, is_soft
    FROM labelled
    UNION ALL
    SELECT
        'model' AS scope, run_id, CAST(NULL AS INTEGER) AS ability_id, benchmark_id, judge, person,
        task, judge_score, person_score, weight, f, y, is_soft
    FROM labelled
    UNION ALL
    SELECT
        'ability' AS scope, CAST(NULL AS INTEGER) AS run_id, v.ability_id, l.benchmark_id, l.judge,
        l.person, l.task, l.judge_score, l.person_score, l.weight, l.f, l.y, l.is_soft
    FROM labelled AS l
    INNER JOIN question_level AS v USING (question_id)
    WHERE v.ability_id <> 0
),

summed AS (
    SELECT
        scope, run_id, ability_id, benchmark_id, judge, person, task, count(*) AS n,
        max(is_soft) AS is_soft, sum(f * y) AS n_both, sum(f * (1 - y)) AS n_judge,
        sum((1 - f) * y) AS n_person, sum((1 - f) * (1 - y)) AS n_neither, sum(weight) AS weight,
        sum(weight * f * y) AS w_both, sum(weight * f * (1 - y)) AS w_judge,
        sum(weight * (1 - f) * y) AS w_person, sum(weight * (1 - f) * (1 - y)) AS w_neither,
        sum(weight * weight * y) AS squares_right, sum(weight * weight * (1 - y)) AS squares_wrong,
        sum(weight * (judge_score - person_score)) AS errors,
        sum(weight * (judge_score - person_score) * (judge_score - person_score)) AS error_squares
    FROM scoped
    GROUP BY scope, run_id, ability_id, benchmark_id, judge, person, task
),

rated AS (
    SELECT
        *,
        CASE WHEN is_soft = 0 THEN w_both / nullif(w_both + w_person, 0) END AS sensitivity,
        CASE WHEN is_soft = 0 THEN w_neither / nullif(w_neither + w_judge, 0) END AS specificity,
        CASE WHEN is_soft = 0 THEN (w_both + w_person) * (w_both + w_person) / nullif(squares_right, 0) END AS m_right,
        CASE WHEN is_soft = 0 THEN (w_neither + w_judge) * (w_neither + w_judge) / nullif(squares_wrong, 0)
            END AS m_wrong,
        (w_both + w_neither) / weight AS same,
        (
            (w_both + w_judge) * (w_both + w_person) + (w_neither + w_judge) * (w_neither + w_person)
        ) / (weight * weight) AS by_chance
    FROM summed
)

SELECT
    b.name AS benchmark, s.judge, s.person, s.task, '{release}' AS release, s.scope,
    CASE s.scope WHEN 'model' THEN r.model WHEN 'ability' THEN t.ability ELSE b.name END AS name,
    s.run_id, s.ability_id, s.n,
    CAST(CASE WHEN s.is_soft = 0 THEN s.n_both END AS BIGINT) AS n_both_right,
    CAST(CASE WHEN s.is_soft = 0 THEN s.n_judge END AS BIGINT) AS n_judge_alone,
    CAST(CASE WHEN s.is_soft = 0 THEN s.n_person END AS BIGINT) AS n_person_alone,
    CAST(CASE WHEN s.is_soft = 0 THEN s.n_neither END AS BIGINT) AS n_neither,
    CASE WHEN s.is_soft = 0 THEN s.same END AS agreement,
    s.sensitivity, wilson(s.sensitivity, s.m_right, -1) AS sensitivity_low,
    wilson(s.sensitivity, s.m_right, 1) AS sensitivity_high, s.specificity,
    wilson(s.specificity, s.m_wrong, -1) AS specificity_low,
    wilson(s.specificity, s.m_wrong, 1) AS specificity_high, s.m_right AS n_right_effective,
    s.m_wrong AS n_wrong_effective,
    CASE WHEN s.is_soft = 0 AND s.by_chance < 1 THEN (s.same - s.by_chance) / (1 - s.by_chance) END AS kappa,
    s.errors / s.weight AS mean_error,
    s.error_squares / s.weight - (s.errors / s.weight) * (s.errors / s.weight) AS error_variance
FROM rated AS s
INNER JOIN main.benchmark AS b USING (benchmark_id)
LEFT JOIN ability_tree AS t USING (benchmark_id, ability_id)
LEFT JOIN current_run AS r USING (run_id)
