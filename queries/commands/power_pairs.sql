-- The pairs of models' latest runs of a benchmark, with what they differ by over all questions,
-- each under its dataset's judge.
SELECT p.n, p.difference, p.stderr
FROM paired_difference AS p
INNER JOIN current_run AS a ON p.run_a = a.run_id
INNER JOIN current_run AS b ON p.run_b = b.run_id
WHERE
    p.run_a < p.run_b
    AND a.is_latest
    AND b.is_latest
    AND a.benchmark_id = $benchmark_id
    AND p.strategy = $strategy
    AND p.judge = list_extract($judges, list_position($datasets, a.dataset))
    AND p.subset = 'all'
    AND p.level = 'overall'
    AND p.stderr > 0
