-- What else is known of the questions of a dataset, as JSON where it is more than one thing.
WITH RECURSIVE tree AS (
    SELECT question_id, ability_id AS filed_id, ability_id, 0 AS height
    FROM main.question_ability
    WHERE question_id IN (SELECT question_id FROM main.question WHERE dataset_id = $dataset_id)
    UNION ALL
    SELECT t.question_id, t.filed_id, a.parent_id AS ability_id, t.height + 1 AS height
    FROM tree AS t
    INNER JOIN main.ability AS a ON t.ability_id = a.ability_id
    WHERE a.parent_id IS NOT NULL
),

branches AS (
    SELECT t.question_id, t.filed_id, list([a.level, a.name] ORDER BY t.height DESC) AS branch
    FROM tree AS t
    INNER JOIN main.ability AS a ON t.ability_id = a.ability_id
    WHERE a.superseded_by IS NULL
    GROUP BY t.question_id, t.filed_id
),

abilities AS (
    SELECT question_id, list(branch ORDER BY filed_id) AS abilities
    FROM branches
    GROUP BY question_id
),

attributes AS (
    SELECT question_id, list([name, value] ORDER BY name) AS attributes
    FROM main.question_attribute
    GROUP BY question_id
),

images AS (
    SELECT question_id, list(sha256 ORDER BY ordinal) AS images
    FROM main.question_image
    GROUP BY question_id
),

parts AS (
    SELECT question_id, list(component ORDER BY component) AS components
    FROM main.question_component
    GROUP BY question_id
),

refs AS (
    SELECT question_id, list(text ORDER BY ordinal) AS refs
    FROM main.reference_answer
    GROUP BY question_id
)

SELECT q.question_id, a.abilities, t.attributes, i.images, p.components, r.refs
FROM main.question AS q
LEFT JOIN abilities AS a ON q.question_id = a.question_id
LEFT JOIN attributes AS t ON q.question_id = t.question_id
LEFT JOIN images AS i ON q.question_id = i.question_id
LEFT JOIN parts AS p ON q.question_id = p.question_id
LEFT JOIN refs AS r ON q.question_id = r.question_id
WHERE q.dataset_id = $dataset_id
