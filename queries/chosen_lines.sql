-- Which lines of a board are shown.

-- name: facts_of_models
SELECT m.name, f.family, f.parameters_billion
FROM main.model AS m
INNER JOIN main.model_fact AS f ON m.model_id = f.model_id
WHERE f.superseded_by IS NULL
