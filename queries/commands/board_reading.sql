-- How the answers of a benchmark's runs were read under a judge, by ability, over whole datasets.
SELECT c.*
FROM answer_count AS c
INNER JOIN current_run AS r ON c.run_id = r.run_id
WHERE
    r.benchmark = $benchmark
    AND c.judge = $judge
    AND ($ability_ids IS NULL OR list_contains($ability_ids, c.ability_id))
