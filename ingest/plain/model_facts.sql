-- Facts about models.

-- name: supersede
UPDATE main.model_fact
SET superseded_by = ?
WHERE model_id = ? AND superseded_by IS NULL
