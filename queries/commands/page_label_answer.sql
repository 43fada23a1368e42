-- The text that was judged. The first sample with that question and pass of the run is shown.
SELECT coalesce(p.text, '') AS prediction
FROM main.prediction AS p
WHERE p.run_id = $run AND p.question_id = $question AND p.pass = $pass AND p.text IS NOT NULL
ORDER BY p.sample
LIMIT 1
