-- MM-Vet, Figure 2: how many questions need each capability and each integration of them. One row
-- per dataset, subset and ability.
-- @n Questions of the subset that need it.
-- @n_questions Questions of the subset.
-- @share n in percent of them.
WITH counted AS (
    SELECT d.dataset_id, d.name AS dataset, d.benchmark_id, l.subset, l.ability_id, count(*) AS n
    FROM subset_level AS l
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.name = 'MM-Vet'
    GROUP BY d.dataset_id, d.name, d.benchmark_id, l.subset, l.ability_id
)

SELECT
    c.dataset, c.subset, t.level, t.ability, t.abbreviation, t.ordinal AS ability_ordinal, c.n,
    w.n AS n_questions, 100 * CAST(c.n AS DOUBLE) / w.n AS share
FROM counted AS c
INNER JOIN counted AS w
    ON c.dataset_id = w.dataset_id AND c.subset = w.subset AND w.ability_id = 0
INNER JOIN ability_tree AS t ON c.benchmark_id = t.benchmark_id AND c.ability_id = t.ability_id
WHERE c.ability_id <> 0
