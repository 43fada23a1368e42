-- The default judge of each dataset of a benchmark that has runs, by the dataset's name; NULL:
-- people alone give such a score, or nobody does.
SELECT r.dataset, any_value(j.judge) AS judge
FROM current_run AS r
LEFT JOIN default_judge AS j
    ON
        r.dataset_id = j.dataset_id
        AND CASE WHEN r.task = 'choice' THEN j.is_own ELSE (j.strategy = 'graded') = $is_graded END
WHERE r.benchmark_id = $benchmark_id
GROUP BY r.dataset
ORDER BY r.dataset
