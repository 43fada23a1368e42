-- Models by name or alias.

-- name: of_name
SELECT model_id
FROM main.model
WHERE name = $name
UNION ALL
SELECT model_id
FROM main.model_alias
WHERE alias = $name
LIMIT 1
