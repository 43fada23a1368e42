-- What MM-Vet's questions are filed under, as the official files write it: one row per question and
-- ability. An integration is a set; where a spelling other than its name is known, it is the
-- official one.
SELECT
    q.question_id, a.level, a.ordinal,
    coalesce(
        max(CASE WHEN a.level = 'integration' AND s.spelling <> a.name THEN s.spelling END),
        CASE WHEN a.level = 'capability' THEN lower(a.abbreviation) ELSE a.name END
    ) AS name
FROM main.question AS q
INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
INNER JOIN main.question_ability AS f ON q.question_id = f.question_id
INNER JOIN main.ability AS a ON f.ability_id = a.ability_id
LEFT JOIN main.ability_spelling AS s ON a.ability_id = s.ability_id
WHERE d.name = $dataset AND a.level IN ('capability', 'integration')
GROUP BY q.question_id, a.level, a.ordinal, a.name, a.abbreviation
ORDER BY a.ordinal, q.question_id
