-- Answer ranking (SEED-Bench, Section 3.3): the choice with the best score. One row per run,
-- question, pass, sample and component, for runs with choice scores. A ranking by perplexity does
-- not depend on the order of the choices, so where such a run scored pass 0 alone, the same choice
-- is its pick in the other passes.
-- @internal
-- @picked The best choice's label, the first one if several are best; NULL: not every choice has a
--   score.
-- @n_best How many choices share the best score.
-- @is_carried Whether the pick is that of pass 0.
WITH best AS (
    SELECT
        *,
        max(merit) OVER (PARTITION BY run_id, question_id, pass, sample, component) AS best_merit,
        count(*) OVER (PARTITION BY run_id, question_id, pass, sample, component) AS n_scored
    FROM ranked_score
),

ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample, component
            ORDER BY CASE WHEN merit = best_merit THEN 0 ELSE 1 END, ordinal, label
        ) AS place,
        sum(CASE WHEN merit = best_merit THEN 1 ELSE 0 END) OVER (
            PARTITION BY run_id, question_id, pass, sample, component
        ) AS n_best
    FROM best
),

picks AS (
    SELECT
        o.run_id, o.model, o.dataset, o.dataset_id, o.method, o.question_id, o.question_key, o.pass,
        o.sample, o.component,
        CASE WHEN o.n_scored = c.n_choices THEN o.label END AS picked,
        o.n_best, o.scorer
    FROM ordered AS o
    INNER JOIN choice_set AS c USING (question_id, pass)
    WHERE o.place = 1
),

-- The pick of pass 0 as it is labelled in the passes without their own score.
carried AS (
    SELECT
        k.run_id, k.model, k.dataset, k.dataset_id, k.question_id, k.question_key, there.pass,
        k.sample, k.component, min(there.label) AS picked, max(k.n_best) AS n_best
    FROM picks AS k
    INNER JOIN main.choice AS here
        ON k.question_id = here.question_id AND k.pass = here.pass AND k.picked = here.label
    INNER JOIN main.choice AS there
        ON here.question_id = there.question_id AND here.text = there.text AND there.pass > 0
    WHERE
        k.method = 'perplexity'
        AND k.pass = 0
        AND NOT EXISTS (
            SELECT 1
            FROM main.choice_score AS s
            WHERE
                s.run_id = k.run_id
                AND s.question_id = k.question_id
                AND s.pass = there.pass
                AND s.sample = k.sample
                AND s.component = k.component
        )
    GROUP BY
        k.run_id, k.model, k.dataset, k.dataset_id, k.question_id, k.question_key, there.pass,
        k.sample, k.component
)

SELECT * EXCLUDE (method), FALSE AS is_carried
FROM picks
UNION ALL
SELECT *, CAST(NULL AS VARCHAR) AS scorer, TRUE AS is_carried
FROM carried
