-- Each dataset, and how complete its runs are. A run that its harness did not finish is not.
SELECT
    d.dataset, d.n_questions AS questions, d.n_passes AS passes,
    CASE
        WHEN b.task = 'open' THEN 'in words'
        WHEN d.n_answers = 0 THEN 'hidden'
        WHEN d.n_answers < d.n_passes THEN 'partly hidden'
        ELSE 'known'
    END AS answers,
    d.n_abilities AS "questions with abilities", coalesce(r.n_runs, 0) AS runs,
    coalesce(r.n_models, 0) AS models, coalesce(r.n_complete, 0) AS "complete runs",
    substr(d.content_hash, 1, 12) AS "content hash"
FROM dataset_summary AS d
INNER JOIN main.benchmark AS b ON d.benchmark = b.name
LEFT JOIN (
    SELECT
        dataset_id, count(*) AS n_runs, count(DISTINCT model_id) AS n_models,
        count(*) FILTER (n_missing = 0 AND run_id NOT IN (SELECT run_id FROM main.run_status WHERE status <> 'success'))
            AS n_complete
    FROM (
        SELECT r.run_id, r.dataset_id, r.model_id, s.n_missing
        FROM current_run AS r
        INNER JOIN ability_sum AS s ON r.run_id = s.run_id
        WHERE
            s.judge = 'none'
            AND s.strategy = 'vanilla_all'
            AND s.subset = 'all'
            AND s.ability_id = 0
        UNION ALL
        SELECT
            r.run_id, r.dataset_id, r.model_id,
            count(*) FILTER (a.state IS NULL OR a.state = 'failed') AS n_missing
        FROM current_run AS r
        INNER JOIN main.question AS q ON r.dataset_id = q.dataset_id
        INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
        LEFT JOIN open_answer AS a
            ON r.run_id = a.run_id AND q.question_id = a.question_id AND s.sample = a.sample
        WHERE r.task = 'open'
        GROUP BY r.run_id, r.dataset_id, r.model_id
    )
    GROUP BY dataset_id
) AS r ON d.dataset_id = r.dataset_id
ORDER BY d.dataset
