-- The tables and figures of the papers.

-- name: comments_of_view
SELECT schema_name, comment
FROM duckdb_views()
WHERE
    database_name = $catalog
    AND list_contains($schemas, schema_name)
    AND view_name = $name

-- name: models_of_task
-- The judges of a task that are no people, the one with most judgments first.
SELECT g.name
FROM main.judge AS g
LEFT JOIN main.judgment AS j ON g.judge_id = j.judge_id
WHERE g.task = ? AND g.retracted_at IS NULL AND g.kind <> 'human'
GROUP BY g.name
ORDER BY count(j.judgment_id) DESC, g.name
