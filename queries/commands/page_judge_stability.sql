-- How stable judges are over their samples.
SELECT *
FROM judge_stability
ORDER BY task, judge
