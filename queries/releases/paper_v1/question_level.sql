-- Every ability that a question counts for: those it is filed under, the ones above them, and Overall. One row per question and ability.
WITH filed AS (
    SELECT
        q.question_id,
        a.ability_id,
        a.parent_id
    FROM main.question_ability AS q
    INNER JOIN main.ability AS a ON q.ability_id = a.ability_id
),

second AS (
    SELECT
        f.question_id,
        a.ability_id,
        a.parent_id
    FROM filed AS f
    INNER JOIN main.ability AS a ON f.parent_id = a.ability_id
),

third AS (
    SELECT
        s.question_id,
        a.ability_id,
        a.parent_id
    FROM second AS s
    INNER JOIN main.ability AS a ON s.parent_id = a.ability_id
),

fourth AS (
    SELECT
        t.question_id,
        a.ability_id
    FROM third AS t
    INNER JOIN main.ability AS a ON t.parent_id = a.ability_id
)

SELECT
    question_id,
    ability_id
FROM filed
UNION
SELECT
    question_id,
    ability_id
FROM second
UNION
SELECT
    question_id,
    ability_id
FROM third
UNION
SELECT
    question_id,
    ability_id
FROM fourth
UNION
SELECT
    question_id,
    0 AS ability_id
FROM main.question
