-- Under which abilities the questions of runs' datasets are filed, and what stands above those.
-- Where a
-- spelling is in lower case, as question files have them, it is that one, else the name.
WITH spelt AS (
    SELECT
        a.ability_id, a.level, a.ordinal, a.parent_id,
        coalesce(
            min(s.spelling) FILTER (
                s.spelling = lower(s.spelling) AND s.spelling <> upper(s.spelling)
            ),
            a.name
        ) AS name
    FROM main.ability AS a
    LEFT JOIN main.ability_spelling AS s ON a.ability_id = s.ability_id
    WHERE a.superseded_by IS NULL
    GROUP BY a.ability_id, a.level, a.ordinal, a.parent_id, a.name
)

SELECT f.question_id, s.level, s.name, above.name AS above
FROM main.question_ability AS f
INNER JOIN main.question AS q ON f.question_id = q.question_id
INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
INNER JOIN spelt AS s ON f.ability_id = s.ability_id
LEFT JOIN spelt AS above ON s.parent_id = above.ability_id
WHERE list_contains($run_ids, r.run_id) AND s.level <> 'integration'
ORDER BY f.question_id, s.ordinal
