-- The scores of a run under one judge, by the benchmark's own average, and over all questions.
SELECT
    strategy, average, level, ability, n, n_answered, weight, n_missing, n_pending, n_fallback,
    score, stderr
FROM leaderboard
WHERE
    run_id = $run_id
    AND judge = $judge
    AND (average = $average OR (average = 'micro' AND level = 'overall'))
ORDER BY strategy, average, ability_ordinal
