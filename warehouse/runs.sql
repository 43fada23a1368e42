-- Mending runs by hand.

-- name: names
SELECT m.name, r.label
FROM main.run AS r
INNER JOIN main.model AS m ON r.model_id = m.model_id
WHERE {where}
ORDER BY r.run_id

-- name: of_that_name
-- The run that has the model and label which another one is to have.
SELECT o.run_id
FROM main.run AS o
INNER JOIN main.run AS r ON r.run_id = $run_id
WHERE
    o.run_id <> r.run_id
    AND o.dataset_id = $dataset_id
    AND o.superseded_by IS NULL
    AND o.retracted_at IS NULL
    AND o.model_id = coalesce($model_id, r.model_id)
    AND o.label = coalesce($label, r.label)

-- name: run
SELECT
    m.name, r.label, r.dataset_id, r.source_id,
    r.superseded_by IS NOT NULL OR r.retracted_at IS NOT NULL
FROM main.run AS r
INNER JOIN main.model AS m ON r.model_id = m.model_id
WHERE r.run_id = $run_id
