-- The letter that the release read from each answer of a run; NULL where it drew one, or read none.
SELECT
    question_id, pass,
    max(CASE WHEN resolved_by IN ('rule', 'judge', 'ranked') THEN predicted END) AS letter
FROM pass_result
WHERE
    run_id = $run_id
    AND sample = $sample
    AND component = 'answer'
    AND judge = $judge
    AND judge_sample = 0
GROUP BY question_id, pass
