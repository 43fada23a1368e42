-- The pick of each ranked answer under either reduction of the log-likelihood, side by side
-- (SEED-Bench, Section 3.3; official code sums for some models and takes the mean for others). One
-- row per run, question, pass, sample and component with choice scores.
-- @picked The pick under the run's own reduction, or of its perplexities or similarities; NULL: not
--   every choice has a score.
-- @n_best How many choices share its score: more than one is a tie, and the first label counts.
-- @picked_sum The pick by the sum over tokens; NULL: not every choice has a score, or the tokens
--   are not known.
-- @n_best_sum How many choices share that.
-- @picked_mean The pick by the mean per token; NULL: as for the sum.
-- @n_best_mean How many choices share that.
-- @is_same Whether both reductions pick the same choice; NULL: one of them is not known.
-- @answer The right label; NULL: hidden.
-- The run's own reduction is ranked_pick; here is the other one.
WITH other AS (
    SELECT
        run_id, question_id, pass, sample, component, label, ordinal, 'sum' AS reduction,
        score * n_tokens AS merit
    FROM ranked_score
    WHERE reduction = 'mean' AND scorer IS NULL AND n_tokens > 0
    UNION ALL
    SELECT
        run_id, question_id, pass, sample, component, label, ordinal, 'mean' AS reduction,
        score / nullif(n_tokens, 0) AS merit
    FROM ranked_score
    WHERE reduction = 'sum' AND scorer IS NULL AND n_tokens > 0
),

best AS (
    SELECT
        *,
        -- A product and a quotient differ from what was measured in their last bits.
        round(merit, 9) AS shown,
        max(round(merit, 9)) OVER (
            PARTITION BY run_id, question_id, pass, sample, component, reduction
        ) AS best_merit,
        count(*) OVER (
            PARTITION BY run_id, question_id, pass, sample, component, reduction
        ) AS n_scored
    FROM other
),

ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample, component, reduction
            ORDER BY CASE WHEN shown = best_merit THEN 0 ELSE 1 END, ordinal, label
        ) AS place,
        sum(CASE WHEN shown = best_merit THEN 1 ELSE 0 END) OVER (
            PARTITION BY run_id, question_id, pass, sample, component, reduction
        ) AS n_best
    FROM best
),

picks AS (
    SELECT
        k.run_id, k.question_id, k.pass, k.sample, k.component, k.picked, k.n_best,
        CASE WHEN k.scorer IS NULL AND r.reduction = 'sum' THEN k.picked END AS picked_sum,
        CASE WHEN k.scorer IS NULL AND r.reduction = 'sum' AND k.picked IS NOT NULL THEN k.n_best END AS n_best_sum,
        CASE WHEN k.scorer IS NULL AND r.reduction = 'mean' THEN k.picked END AS picked_mean,
        CASE WHEN k.scorer IS NULL AND r.reduction = 'mean' AND k.picked IS NOT NULL THEN k.n_best END AS n_best_mean
    FROM ranked_pick AS k
    INNER JOIN current_run AS r USING (run_id)
    WHERE NOT k.is_carried
    UNION ALL
    SELECT
        o.run_id, o.question_id, o.pass, o.sample, o.component, NULL AS picked, NULL AS n_best,
        CASE WHEN o.reduction = 'sum' THEN o.label END AS picked_sum,
        CASE WHEN o.reduction = 'sum' THEN o.n_best END AS n_best_sum,
        CASE WHEN o.reduction = 'mean' THEN o.label END AS picked_mean,
        CASE WHEN o.reduction = 'mean' THEN o.n_best END AS n_best_mean
    FROM ordered AS o
    INNER JOIN choice_set AS c USING (question_id, pass)
    WHERE o.place = 1 AND o.n_scored = c.n_choices
),

pivoted AS (
    SELECT
        run_id, question_id, pass, sample, component, max(picked) AS picked,
        CAST(max(n_best) AS BIGINT) AS n_best, max(picked_sum) AS picked_sum,
        CAST(max(n_best_sum) AS BIGINT) AS n_best_sum, max(picked_mean) AS picked_mean,
        CAST(max(n_best_mean) AS BIGINT) AS n_best_mean
    FROM picks
    GROUP BY run_id, question_id, pass, sample, component
)

SELECT
    b.run_id, r.model, r.dataset, r.method, r.reduction, r.scored, b.question_id, d.question_key,
    b.pass, b.sample, b.component, b.picked, b.n_best, b.picked_sum, b.n_best_sum, b.picked_mean,
    b.n_best_mean, b.picked_sum = b.picked_mean AS is_same, d.answer
FROM pivoted AS b
INNER JOIN current_run AS r USING (run_id)
INNER JOIN dataset_pass AS d USING (question_id, pass)
