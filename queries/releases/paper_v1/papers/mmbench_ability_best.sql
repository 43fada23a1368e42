-- MMBench, Section 5: the best model of each ability under CircularEval. One row per dataset,
-- judge, ability and best model; models that tie are all there.
-- @best_score Its score, in percent.
-- @coverage Questions of the ability without a missing pass, in percent of all.
-- @n_models Models with a score.
WITH ranked AS (
    SELECT
        *, count(percent) OVER (PARTITION BY dataset_id, judge, ability_id) AS n_models,
        rank() OVER (
            PARTITION BY dataset_id, judge, ability_id
            ORDER BY round(percent, 12) DESC NULLS LAST
        ) AS place
    FROM mmbench_cell
    WHERE strategy = 'circular'
)

SELECT
    dataset, judge, level, ability, ability_ordinal, ability_id, model, run_id,
    percent AS best_score, coverage, n_models
FROM ranked
WHERE place = 1 AND percent IS NOT NULL
