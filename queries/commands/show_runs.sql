-- The runs of a dataset that count, of one model or of all.
SELECT run_id, run, model, task
FROM current_run
WHERE dataset = $dataset AND ($model_id IS NULL OR model_id = $model_id)
ORDER BY run_id
