-- Every run, newest first, also those that no longer count. The status that its harness reports is
-- shown unless it is success.
SELECT
    r.run_id,
    m.name AS model,
    d.name AS dataset,
    r.label AS run,
    r.method,
    r.harness,
    coalesce(n.n_answers, 0) AS answers,
    s.ingested_at,
    CASE
        WHEN r.retracted_at IS NOT NULL THEN 'retracted'
        WHEN r.superseded_by IS NOT NULL THEN 'superseded'
        WHEN e.status <> 'success' THEN e.status
        ELSE ''
    END AS state,
    s.path
FROM main.run AS r
INNER JOIN main.model AS m ON r.model_id = m.model_id
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
INNER JOIN main.source AS s ON r.source_id = s.source_id
LEFT JOIN main.run_status AS e ON r.run_id = e.run_id
LEFT JOIN (
    SELECT
        run_id,
        count(*) AS n_answers
    FROM main.prediction
    GROUP BY run_id
    UNION ALL
    SELECT
        run_id,
        count(DISTINCT row(question_id, pass, sample)) AS n_answers
    FROM main.choice_score
    GROUP BY run_id
) AS n ON r.run_id = n.run_id
ORDER BY r.run_id DESC
