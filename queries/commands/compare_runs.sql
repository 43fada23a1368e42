-- The runs that a name on the command line can mean: a model's latest ones, or else those of that
-- label, or of MODEL/LABEL.
SELECT run_id, model, run, dataset, dataset_id, benchmark, benchmark_id, task
FROM current_run
WHERE model_id = $model_id AND is_latest OR $model_id IS NULL AND (run = $name OR model || '/' || run = $name)
ORDER BY dataset, model
