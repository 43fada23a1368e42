-- How the answers of a benchmark's runs were read under a judge, by ability, with the answers that there
-- are (passes), over whole datasets.
WITH answered AS (
    SELECT
        run_id,
        ability_id,
        max(weight - n_missing) AS n_answers
    FROM subset_leaderboard
    WHERE
        benchmark = $benchmark
        AND judge = $judge
        AND subset = 'all'
        AND average = 'micro'
        AND strategy IN ('vanilla', 'vanilla_all')
    GROUP BY run_id, ability_id
)

SELECT
    c.*,
    a.n_answers
FROM answer_count AS c
INNER JOIN current_run AS r ON c.run_id = r.run_id
LEFT JOIN answered AS a ON c.run_id = a.run_id AND c.ability_id = a.ability_id
WHERE r.benchmark = $benchmark AND c.judge = $judge
