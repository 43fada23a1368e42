-- Of the figures in some files: those of runs that count whose answers no harness scored here, so
-- that only the figures can be compared; how many there are, are the same, and have none of ours.
WITH alone AS (
    SELECT DISTINCT m.name AS model, r.label AS run, r.harness
    FROM main.harness_figure AS f
    INNER JOIN main.model AS m ON f.model_id = m.model_id
    INNER JOIN main.run AS r ON f.model_id = r.model_id AND f.label = r.label
    WHERE
        list_contains($source_ids, f.source_id)
        AND r.superseded_by IS NULL
        AND r.retracted_at IS NULL
        AND NOT EXISTS (
            SELECT 1
            FROM main.harness_score AS s
            INNER JOIN main.run AS o ON s.run_id = o.run_id
            WHERE o.model_id = r.model_id AND o.label = r.label
        )
)

SELECT
    a.harness, count(*) AS n_figures, count(CASE WHEN p.is_same THEN 1 END) AS n_same,
    count(CASE WHEN p.ours IS NULL THEN 1 END) AS n_without,
    count(DISTINCT p.our_dataset || ' ' || p.model || ' ' || p.run) AS n_runs
FROM figure_difference AS p
INNER JOIN alone AS a ON p.model = a.model AND p.run = a.run
GROUP BY a.harness
ORDER BY a.harness
