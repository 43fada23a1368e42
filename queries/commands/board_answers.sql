-- How many answers (passes) the runs of a benchmark have, by ability, over whole datasets.
SELECT run_id, ability_id, max(weight - n_missing) AS n_answers
FROM leaderboard
WHERE
    benchmark = $benchmark
    AND judge = $judge
    AND ($ability_ids IS NULL OR list_contains($ability_ids, ability_id))
    AND average = 'micro'
    AND strategy IN ('vanilla', 'vanilla_all')
GROUP BY run_id, ability_id
