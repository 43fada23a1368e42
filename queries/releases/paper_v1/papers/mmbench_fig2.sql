-- MMBench, Figure 2: the questions of a dataset by ability, in three rings. One row per dataset and
-- ability that has questions; it needs no run.
-- @place The ability's place in its ring, which puts each next to the one it belongs to.
-- @parent The ability above; Overall at the top.
-- @n Questions.
-- @share n in percent of the dataset's questions.
WITH counted AS (
    SELECT
        d.name AS dataset, d.benchmark_id, l.ability_id, count(*) AS n,
        sum(CASE WHEN l.ability_id = 0 THEN 1 ELSE 0 END) AS n_all
    FROM question_level AS l
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.name = 'MMBench'
    GROUP BY d.name, d.benchmark_id, l.ability_id
),

shares AS (
    SELECT *, sum(n_all) OVER (PARTITION BY dataset) AS n_questions
    FROM counted
),

-- Overall stands above the top, also above itself.
placed AS (
    SELECT
        a.* EXCLUDE (parent_id), p.ability AS parent,
        CASE
            WHEN p.ability_id = 0 THEN a.ordinal
            WHEN g.ability_id = 0 THEN p.ordinal
            ELSE g.ordinal
        END AS first_place,
        CASE
            WHEN p.ability_id = 0 THEN -1
            WHEN g.ability_id = 0 THEN a.ordinal
            ELSE p.ordinal
        END AS second_place
    FROM ability_tree AS a
    INNER JOIN ability_tree AS p
        ON a.benchmark_id = p.benchmark_id AND coalesce(a.parent_id, 0) = p.ability_id
    INNER JOIN ability_tree AS g
        ON p.benchmark_id = g.benchmark_id AND coalesce(p.parent_id, 0) = g.ability_id
    WHERE a.ability_id <> 0
)

SELECT
    s.dataset, p.level,
    row_number() OVER (
        PARTITION BY s.dataset, p.level
        ORDER BY p.first_place, p.second_place, p.ordinal, p.ability_id
    ) AS place,
    p.ability, p.abbreviation, p.parent, s.n, 100 * CAST(s.n AS DOUBLE) / s.n_questions AS share
FROM shares AS s
INNER JOIN placed AS p USING (benchmark_id, ability_id)
