-- How questions with several right choices are scored (TruthfulQA's mc2, Lin et al. 2022): the
-- probability of the right choices as a share of that of all, by their log-likelihoods. One row per
-- run, question, pass and sample, for runs with summed log-likelihoods, where the attribute
-- right_choices of the question says which choices are right and every choice has a score.
-- @right_choices Their labels.
-- @picked The choice with the greatest log-likelihood, the first of equal ones.
-- @score 1 if the pick is one of the right choices, else 0.
-- @mass The share of the right choices.
WITH measured AS (
    SELECT
        s.run_id, s.question_id, s.pass, s.sample, s.label, a.value AS right_choices, s.score,
        row_number() OVER (
            PARTITION BY s.run_id, s.question_id, s.pass, s.sample
            ORDER BY s.score DESC, s.ordinal, s.label
        ) AS place,
        max(s.score) OVER (PARTITION BY s.run_id, s.question_id, s.pass, s.sample) AS best
    FROM ranked_score AS s
    INNER JOIN main.question_attribute AS a USING (question_id)
    WHERE
        a.name = 'right_choices'
        AND s.method = 'loglik'
        AND s.reduction = 'sum'
        AND s.scorer IS NULL
        AND s.component = 'answer'
),

-- Relative to the likeliest, so that small likelihoods do not vanish.
weighed AS (
    SELECT
        *,
        CASE WHEN score = best THEN 1.0 ELSE exp(score - best) END AS weight
    FROM measured
),

summed AS (
    SELECT
        run_id, question_id, pass, sample, max(right_choices) AS right_choices,
        max(CASE WHEN place = 1 THEN label END) AS picked, count(*) AS n,
        sum(weight) AS every_weight,
        sum(CASE WHEN contains(right_choices, label) THEN weight ELSE 0.0 END) AS right_weight
    FROM weighed
    GROUP BY run_id, question_id, pass, sample
)

SELECT
    s.run_id, r.model, r.run, r.dataset, s.question_id, q.question_key, s.pass, s.sample,
    s.right_choices, s.picked,
    CAST(CASE WHEN contains(s.right_choices, s.picked) THEN 1.0 ELSE 0.0 END AS DOUBLE) AS score,
    CAST(s.right_weight / s.every_weight AS DOUBLE) AS mass
FROM summed AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
INNER JOIN choice_set AS c USING (question_id, pass)
WHERE s.n = c.n_choices
