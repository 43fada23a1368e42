-- A run has rows for a sample that it does not list
SELECT DISTINCT p.run_id, p.sample
FROM (
    SELECT run_id, sample FROM main.prediction
    UNION ALL
    SELECT run_id, sample FROM main.choice_score
    UNION ALL
    SELECT run_id, sample FROM main.harness_score
) AS p
ANTI JOIN main.run_sample AS s ON p.run_id = s.run_id AND p.sample = s.sample
