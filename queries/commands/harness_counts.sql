-- The figures in some files, and those of them that are of runs whose answers no harness scored
-- here.
SELECT
    count(*) AS n_figures,
    count(
        CASE
            WHEN NOT EXISTS (
                SELECT 1
                FROM main.harness_score AS s
                INNER JOIN main.run AS o ON s.run_id = o.run_id
                WHERE o.model_id = f.model_id AND o.label = f.label
            ) THEN 1
        END
    ) AS n_alone
FROM main.harness_figure AS f
WHERE list_contains($source_ids, f.source_id)
