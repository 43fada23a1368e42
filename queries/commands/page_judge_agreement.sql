-- How far judges agree, pair by pair.
SELECT *
FROM judge_agreement
ORDER BY task, judge_a, judge_b
