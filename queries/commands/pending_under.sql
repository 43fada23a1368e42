-- Whether verdicts of a judge are pending on some of a few runs.
SELECT coalesce(sum(n_pending), 0) > 0 AS is_pending
FROM ability_sum
WHERE
    list_contains($run_ids, run_id)
    AND strategy = $strategy
    AND judge = $judge
    AND subset = 'all'
    AND ability_id = 0
