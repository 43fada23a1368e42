-- Under which abilities questions are filed, and the taxonomy of a benchmark of the user's own.

-- name: name_finest_level
-- VLMEvalKit's column category is MMBench's l3, and in other benchmarks the finest level of the
-- tree.
UPDATE stage_ability
SET level = finest.level
FROM (
    SELECT any_value(level) AS level
    FROM main.ability
    WHERE
        benchmark_id = $benchmark_id
        AND ability_id NOT IN (SELECT parent_id FROM main.ability WHERE parent_id IS NOT NULL)
        AND ability_id NOT IN (SELECT ability_id FROM main.ability_part)
    HAVING count(DISTINCT level) = 1
) AS finest
WHERE
    stage_ability.field = 'category'
    AND stage_ability.level NOT IN (
        SELECT level FROM main.ability WHERE benchmark_id = $benchmark_id
    )

-- name: put_on_level
-- A name such as metadata.category is of the column category.
UPDATE stage_ability
SET level = $level, depth = $depth
WHERE
    (lower(field) = $column OR ends_with(lower(field), '.' || $column))
    AND level <> $level

-- name: put_apart
-- What an adapter took for abilities and the benchmark names no level for, such as a category that
-- all questions have, is below none of its levels.
UPDATE stage_ability
SET depth = depth % 10 + 10 * $n_levels
WHERE NOT list_contains($levels, level)

-- name: leave_levels
-- A level that was taken away does not come back with another file.
DELETE FROM stage_ability
WHERE
    level IN (
        SELECT level
        FROM main.ability
        WHERE benchmark_id = $benchmark_id AND superseded_by IS NOT NULL
    )

-- name: take_attribute
INSERT INTO stage_ability
WITH written AS (
    SELECT
        row, split, question_key, name,
        unnest(
            CASE
                WHEN $separator IS NULL THEN [value]
                WHEN l.items IS NOT NULL THEN l.items
                ELSE string_split(value, $separator)
            END
        ) AS spelling
    FROM stage_attribute AS s
    LEFT JOIN (
        SELECT cell, list(item ORDER BY ordinal) FILTER (item IS NOT NULL) AS items
        FROM stage_listed
        GROUP BY cell
    ) AS l ON s.value = l.cell
    WHERE
        lower(name) = $column
        AND NOT EXISTS (SELECT 1 FROM stage_ability AS a WHERE a.row = s.row AND a.level = $level)
)

SELECT DISTINCT row, split, question_key, $depth, $level, name, trim(spelling)
FROM written
WHERE trim(spelling) <> ''

-- name: find_abilities
CREATE OR REPLACE TEMP TABLE stage_filed AS
SELECT
    s.row, s.split, s.question_key, s.depth, s.level, s.field, s.spelling, a.ability_id, a.parent_id
FROM stage_ability AS s
LEFT JOIN (
    SELECT DISTINCT a.ability_id, a.parent_id, a.level, lower(p.spelling) AS spelling
    FROM main.ability AS a
    INNER JOIN main.ability_spelling AS p ON a.ability_id = p.ability_id
    WHERE a.benchmark_id = $benchmark_id
) AS a ON lower(s.spelling) = a.spelling AND s.level = a.level

-- name: unknown_categories
SELECT row, field, spelling
FROM stage_filed
WHERE ability_id IS NULL
ORDER BY row, depth
LIMIT 1

-- name: misplaced_categories
SELECT f.row, f.field, f.spelling, u.spelling AS above
FROM stage_filed AS f
INNER JOIN stage_filed AS u ON f.row = u.row AND f.depth - 1 = u.depth
WHERE f.parent_id IS DISTINCT FROM u.ability_id
ORDER BY f.row
LIMIT 1

-- name: add_question_abilities
-- The finest one of each division; the depths of a division are below ten.
INSERT INTO main.question_ability
WITH division AS (
    SELECT DISTINCT level, depth // 10 AS division
    FROM stage_filed
),

known AS (
    SELECT q.question_id, d.division
    FROM main.question_ability AS q
    INNER JOIN main.ability AS a ON q.ability_id = a.ability_id
    LEFT JOIN division AS d ON a.level = d.level
    WHERE a.benchmark_id = $benchmark_id
)

SELECT b.question_id, CAST(arg_max(s.ability_id, s.depth * 1e9 - s.row) AS INTEGER), $source_id
FROM stage_filed AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN known AS k
    ON b.question_id = k.question_id AND coalesce(k.division, s.depth // 10) = s.depth // 10
GROUP BY b.question_id, s.depth // 10

-- name: tell_apart
-- An ability of the same name under two others is two abilities, each with the name above before
-- its own; so it is in later files, where only one of the two turns up.
UPDATE stage_ability AS f
SET spelling = u.spelling || ' / ' || f.spelling
FROM stage_ability AS u
WHERE
    f.row = u.row
    AND f.depth - 1 = u.depth
    AND (
        EXISTS (
            SELECT 1
            FROM main.ability AS a
            INNER JOIN main.ability_spelling AS k ON a.ability_id = k.ability_id
            WHERE
                a.benchmark_id = $benchmark_id
                AND a.level = f.level
                AND lower(k.spelling) = lower(u.spelling || ' / ' || f.spelling)
        )
        OR (
            $is_made
            AND (f.level, lower(f.spelling)) IN (
                SELECT (c.level, lower(c.spelling)) AS name
                FROM stage_ability AS c
                INNER JOIN stage_ability AS p ON c.row = p.row AND c.depth - 1 = p.depth
                GROUP BY c.level, lower(c.spelling)
                HAVING count(DISTINCT lower(p.spelling)) > 1
            )
        )
    )

-- name: abilities_under_two_parents
SELECT
    max(f.row) AS row, f.field, any_value(f.spelling) AS spelling,
    count(DISTINCT lower(u.spelling)) AS n_parents
FROM stage_ability AS f
INNER JOIN stage_ability AS u ON f.row = u.row AND f.depth - 1 = u.depth
GROUP BY f.field, lower(f.spelling)
HAVING count(DISTINCT lower(u.spelling)) > 1
ORDER BY 1
LIMIT 1

-- name: taxonomy_of_the_file
WITH named AS (
    SELECT depth, level, lower(spelling) AS folded, arg_min(spelling, row) AS name, min(row) AS row
    FROM stage_ability
    GROUP BY depth, level, lower(spelling)
)

SELECT n.level, n.name, any_value(p.name) AS parent
FROM named AS n
INNER JOIN stage_ability AS f ON n.level = f.level AND n.folded = lower(f.spelling)
LEFT JOIN stage_ability AS u ON f.row = u.row AND f.depth - 1 = u.depth
LEFT JOIN named AS p ON u.level = p.level AND lower(u.spelling) = p.folded
ANTI JOIN (
    SELECT a.level, lower(k.spelling) AS spelling
    FROM main.ability AS a
    INNER JOIN main.ability_spelling AS k ON a.ability_id = k.ability_id
    WHERE a.benchmark_id = $benchmark_id
) AS known ON n.level = known.level AND n.folded = known.spelling
GROUP BY n.depth, n.level, n.name, n.row
ORDER BY n.depth, n.row, n.name

-- name: levels_too_deep
SELECT row, field, level
FROM stage_ability
WHERE depth % 10 >= 4 OR lower(level) = 'overall'
ORDER BY row, depth
LIMIT 1

-- name: contradicted_abilities
SELECT s.row, s.field, s.spelling, b.question_key
FROM stage_filed AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question_ability AS q ON b.question_id = q.question_id
INNER JOIN main.ability AS known ON q.ability_id = known.ability_id
INNER JOIN main.ability AS staged ON s.ability_id = staged.ability_id
WHERE staged.level = known.level AND staged.ability_id <> known.ability_id
ORDER BY s.row
LIMIT 1
