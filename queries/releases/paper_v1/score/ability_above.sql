-- What the questions of an ability count for: itself, the abilities above it, and those that are
-- made of any of these, such as SEED-Bench-2's capability levels. One row per ability and ability
-- it counts for.
-- @internal
-- @above_id The ability it counts for.
WITH second AS (
    SELECT a.ability_id, b.ability_id AS above_id, b.parent_id
    FROM main.ability AS a
    INNER JOIN main.ability AS b ON a.parent_id = b.ability_id
),

third AS (
    SELECT s.ability_id, b.ability_id AS above_id, b.parent_id
    FROM second AS s
    INNER JOIN main.ability AS b ON s.parent_id = b.ability_id
),

fourth AS (
    SELECT t.ability_id, b.ability_id AS above_id
    FROM third AS t
    INNER JOIN main.ability AS b ON t.parent_id = b.ability_id
),

tree AS (
    SELECT ability_id, ability_id AS above_id
    FROM main.ability
    UNION ALL
    SELECT ability_id, above_id
    FROM second
    UNION ALL
    SELECT ability_id, above_id
    FROM third
    UNION ALL
    SELECT ability_id, above_id
    FROM fourth
),

whole AS (
    SELECT ability_id, above_id
    FROM tree
    UNION
    SELECT t.ability_id, p.ability_id AS above_id
    FROM tree AS t
    INNER JOIN main.ability_part AS p ON t.above_id = p.part_id
)

SELECT w.ability_id, w.above_id
FROM whole AS w
INNER JOIN counted_ability AS a ON w.above_id = a.ability_id
