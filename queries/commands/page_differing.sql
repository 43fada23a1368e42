-- The questions that two runs, or two judges of one run, score otherwise: each with both scores.
-- side: any, or who alone is right (a, b), or both or neither.
SELECT a.question_id
FROM question_result AS a
INNER JOIN question_result AS b ON a.question_key = b.question_key AND a.strategy = b.strategy
WHERE
    a.run_id = $run
    AND a.judge = $judge
    AND a.strategy = $strategy
    AND b.run_id = $other_run
    AND b.judge = $other_judge
    AND b.strategy = $strategy
    AND CASE $side
        WHEN 'a' THEN a.score >= 1 AND b.score <= 0
        WHEN 'b' THEN a.score <= 0 AND b.score >= 1
        WHEN 'both' THEN a.score >= 1 AND b.score >= 1
        WHEN 'neither' THEN a.score <= 0 AND b.score <= 0
        ELSE a.score IS DISTINCT FROM b.score
    END
ORDER BY a.question_id
