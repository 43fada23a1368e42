-- The pick of each ranked answer by mutual information, which lm-evaluation-harness calls
-- acc_mutual_info: the log-likelihood of a choice less that of the choice without the question,
-- which the harness keeps with the answer; the first of equal choices is picked. One row per run,
-- question, pass and sample where every choice has both.
-- @internal
-- @picked The pick.
-- @score 1 if the pick is right, else 0; NULL where the answer is hidden.
WITH ranked AS (
    SELECT
        s.run_id, s.question_id, s.pass, s.sample, s.label, s.ordinal, s.score,
        -- Pairs of a number and whether the model says the choice of itself, in the choices' order.
        translate(a.value, '[]"', '') AS pairs,
        row_number() OVER (
            PARTITION BY s.run_id, s.question_id, s.pass, s.sample ORDER BY s.ordinal, s.label
        ) AS place
    FROM ranked_score AS s
    INNER JOIN main.answer_attribute AS a
        ON
            s.run_id = a.run_id
            AND s.question_id = a.question_id
            AND s.pass = a.pass
            AND s.sample = a.sample
            AND a.name = 'unconditional'
    WHERE s.method = 'loglik' AND s.reduction = 'sum' AND s.scorer IS NULL AND s.component = 'answer'
),

measured AS (
    SELECT
        *, score - as_number(split_part(pairs, ', ', CAST(2 * place - 1 AS INTEGER))) AS information
    FROM ranked
),

picks AS (
    SELECT
        *, count(information) OVER (PARTITION BY run_id, question_id, pass, sample) AS n_measured,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample ORDER BY information DESC, place
        ) AS pick
    FROM measured
    WHERE information IS NOT NULL
)

SELECT
    k.run_id, k.question_id, k.pass, k.sample, k.label AS picked,
    CAST(
        CASE
            WHEN d.answer IS NULL THEN NULL
            WHEN k.label = d.answer THEN 1.0
            ELSE 0.0
        END AS DOUBLE
    ) AS score
FROM picks AS k
INNER JOIN dataset_pass AS d USING (question_id, pass)
INNER JOIN choice_set AS c USING (question_id, pass)
WHERE k.pick = 1 AND k.n_measured = c.n_choices
