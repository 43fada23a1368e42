-- The figures that harnesses wrote, and ours; those that are the same last.
SELECT
    run_id, model, run, dataset, metric, filter, reducer, published, ours, is_same, reason,
    reason_kind, by_rules, note, is_stated, n_scored, n_answers, n_differ, n_unread, n_pending
FROM harness_difference
WHERE CAST($run_ids AS INTEGER[]) IS NULL OR list_contains($run_ids, run_id)
ORDER BY model, run, dataset, metric, filter
