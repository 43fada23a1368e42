-- The answers of which a harness says something else than we do; with $all every one that it
-- scored.
SELECT
    run_id, model, run, dataset, question, pass, sample, metric, filter, published, read_there,
    ours, read_here, is_same, reason, reason_kind
FROM harness_sample_difference
WHERE (CAST($run_ids AS INTEGER[]) IS NULL OR list_contains($run_ids, run_id)) AND ($all OR NOT is_same)
ORDER BY model, run, dataset, length(question), question, pass, sample, metric, filter
