-- MMBench talk (2024), challenging abilities: the best model's score (A_max) of each L-3 ability
-- under CircularEval. One row per dataset, judge and ability.
-- @place 1 for the ability with the lowest A_max, the most challenging one; ties share.
-- @l2 The L-2 ability above.
-- @a_max The best score among the models' latest runs, in percent.
-- @n_best Models that reach it.
-- @n_models Models with a score.
WITH best AS (
    SELECT
        dataset, judge, ability_id, ability, max(best_score) AS a_max, count(*) AS n_best,
        max(n_models) AS n_models
    FROM mmbench_ability_best
    WHERE level = 'l3'
    GROUP BY dataset, judge, ability_id, ability
)

SELECT
    b.dataset, b.judge,
    rank() OVER (PARTITION BY b.dataset, b.judge ORDER BY round(b.a_max, 12)) AS place, b.ability,
    p.abbreviation AS l2, b.a_max, b.n_best, b.n_models, b.ability_id
FROM best AS b
INNER JOIN main.ability AS a USING (ability_id)
INNER JOIN main.ability AS p ON a.parent_id = p.ability_id
