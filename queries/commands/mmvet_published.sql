-- The score files of MM-Vet that were read, the newest first, and the models of their rows in
-- order.
SELECT s.path, s.flags, list(m.name ORDER BY p.place) AS models
FROM main.source AS s
INNER JOIN (
    SELECT source_id, model_id, min(rowid) AS place
    FROM main.published_score
    GROUP BY source_id, model_id
) AS p ON s.source_id = p.source_id
INNER JOIN main.model AS m ON p.model_id = m.model_id
WHERE s.format = 'mmvet_scores'
GROUP BY s.source_id, s.path, s.flags
ORDER BY s.source_id DESC
