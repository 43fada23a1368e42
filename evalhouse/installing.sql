-- Whether facts were stored.

-- name: last_facts
SELECT (SELECT max(source_id) FROM main.source), (SELECT max(judgment_id) FROM main.judgment)
