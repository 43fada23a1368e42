-- Of the files of some sources: the runs that count and whose answers a harness scored there, or of
-- which figures were written there; with how much there is to compare.
WITH scored AS (
    SELECT run_id, count(*) AS n_scores
    FROM main.harness_score
    WHERE
        run_id IN (
            SELECT run_id FROM main.harness_score WHERE list_contains($source_ids, source_id)
            UNION
            SELECT r.run_id
            FROM main.run AS r
            INNER JOIN main.harness_figure AS f ON r.model_id = f.model_id AND r.label = f.label
            WHERE list_contains($source_ids, f.source_id)
        )
    GROUP BY run_id
)

SELECT r.run_id, s.n_scores
FROM main.run AS r
INNER JOIN scored AS s ON r.run_id = s.run_id
WHERE r.superseded_by IS NULL AND r.retracted_at IS NULL
ORDER BY r.run_id
