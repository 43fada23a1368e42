-- SEED-Bench-2, Figure 6: the questions of each dimension. One row per dataset and dimension that
-- has questions; it needs no run.
-- @part The part that the dimension belongs to.
-- @subpart The subpart that it belongs to.
-- @dimension The dimension.
-- @n Questions of the dimension.
-- @share n in percent of the dataset's questions.
WITH counted AS (
    SELECT d.dataset_id, d.name AS dataset, d.benchmark_id, l.ability_id, count(*) AS n
    FROM question_level AS l
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.name = 'SEED-Bench-2'
    GROUP BY d.dataset_id, d.name, d.benchmark_id, l.ability_id
)

SELECT
    c.dataset, p.ability AS part, s.ability AS subpart, t.ability AS dimension,
    t.ordinal AS ability_ordinal, c.n, 100 * CAST(c.n AS DOUBLE) / w.n AS share
FROM counted AS c
INNER JOIN counted AS w ON c.dataset_id = w.dataset_id AND w.ability_id = 0
INNER JOIN ability_tree AS t ON c.benchmark_id = t.benchmark_id AND c.ability_id = t.ability_id
INNER JOIN ability_tree AS s ON t.benchmark_id = s.benchmark_id AND t.parent_id = s.ability_id
INNER JOIN ability_tree AS p ON s.benchmark_id = p.benchmark_id AND s.parent_id = p.ability_id
WHERE t.level = 'dimension'
