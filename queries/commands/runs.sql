-- Every run, newest first, also those that no longer count. The status that its harness reports is
-- shown unless it is success. figures: how many the harness wrote of the run, under the name that
-- the run's file has for its dataset.
SELECT
    r.run_id, m.name AS model, d.name AS dataset, r.label AS run, r.method, r.harness,
    coalesce(n.n_answers, 0) AS answers, coalesce(f.n_figures, 0) AS figures, s.ingested_at,
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
    SELECT run_id, count(*) AS n_answers
    FROM main.prediction
    GROUP BY run_id
    UNION ALL
    SELECT run_id, count(DISTINCT row(question_id, pass, sample)) AS n_answers
    FROM main.choice_score
    GROUP BY run_id
) AS n ON r.run_id = n.run_id
LEFT JOIN (
    SELECT w.run_id, count(DISTINCT row(h.task, h.metric, h.filter, h.reducer)) AS n_figures
    FROM main.harness_figure AS h
    INNER JOIN main.run AS w ON h.model_id = w.model_id AND h.label = w.label
    INNER JOIN main.dataset AS t
        ON w.dataset_id = t.dataset_id AND h.benchmark_id = t.benchmark_id
    INNER JOIN main.source AS p ON w.source_id = p.source_id
    WHERE h.source_id = w.source_id OR contains(p.path, '_' || h.task || '.')
    GROUP BY w.run_id
) AS f ON r.run_id = f.run_id
ORDER BY r.run_id DESC
