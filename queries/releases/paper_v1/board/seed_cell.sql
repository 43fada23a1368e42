-- What the tables of SEED-Bench and SEED-Bench-2 are filled with: each model's latest run, in
-- percent of the questions that it answered. Averages are over questions for SEED-Bench, and over
-- dimensions for the parts and levels of SEED-Bench-2. One row per run, judge and ability, Overall
-- included.
-- @internal
-- @percent The score over the questions that were answered, in percent; NULL while pending or
--   hidden, or where the run does not reach the ability.
-- @coverage Questions that were answered, in percent of all.
-- @place Its rank among the models by percent (to 12 decimals), ties share; NULL: no score.
-- @is_ranked Whether the run's choices were ranked, rather than a choice generated.
-- @n Questions of the ability.
WITH filled AS (
    SELECT
        s.run_id, s.model, r.model_id, s.dataset, s.dataset_id, s.benchmark, s.judge, s.level,
        s.ability, s.abbreviation, s.ability_ordinal, s.ability_id, s.parent_id, s.is_reached,
        s.method <> 'generation' AS is_ranked, s.n, s.n_answered, 100 * s.score_answered AS percent,
        100 * CAST(s.n_answered AS DOUBLE) / s.n AS coverage
    FROM ability_score AS s
    INNER JOIN current_run AS r USING (run_id)
    WHERE
        s.benchmark IN ('SEED-Bench', 'SEED-Bench-2')
        AND s.strategy = 'vanilla'
        AND s.is_latest
        AND s.average = CASE
            WHEN s.benchmark = 'SEED-Bench' OR s.level = 'dimension' THEN 'micro' ELSE 'macro'
        END
)

SELECT
    *,
    CASE
        WHEN percent IS NOT NULL
            THEN rank() OVER (
                PARTITION BY dataset_id, judge, ability_id
                ORDER BY round(percent, 12) DESC NULLS LAST
            )
    END AS place
FROM filled
