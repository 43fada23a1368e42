-- The scores of a run under a judge and a strategy, to be compared with another's.
SELECT question_key, score
FROM question_result
WHERE run_id = $run AND judge = $judge AND strategy = $strategy
