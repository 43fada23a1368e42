-- What boards have of the two runs of a comparison: the mean over all questions, where a missing
-- answer is wrong, and over those that were answered.
SELECT run_id, n, score, n_answered, score_answered
FROM subset_leaderboard
WHERE
    run_id IN ($run_a, $run_b)
    AND strategy = $strategy
    AND judge = $judge
    AND subset = $subset
    AND level = 'overall'
    AND average = 'micro'
