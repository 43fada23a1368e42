-- How far judges' soft scores are from a reference judge's.
SELECT *
FROM judge_error
ORDER BY task, reference_judge, judge
