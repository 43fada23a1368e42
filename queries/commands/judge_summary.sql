-- What a judge made of the answers of each run: read, X, and what came to nothing, as the attempt
-- that counts has it; changed are answers with another score than by the rules alone.
WITH judged AS (
    SELECT
        run_id, judgment_id,
        CASE WHEN resolved_by = 'judge' THEN predicted END AS label,
        resolved_by = 'judge' AS is_read, coalesce(score, 0) > 0 AS is_changed
    FROM judged_pass
    WHERE judge = $judge
    UNION ALL
    SELECT
        run_id, judgment_id, CAST(NULL AS VARCHAR) AS label, verdict_score IS NOT NULL AS is_read,
        CAST(NULL AS BOOLEAN) AS is_changed
    FROM open_judged
    WHERE judge = $judge
    UNION ALL
    SELECT
        run_id, judgment_id, CAST(NULL AS VARCHAR) AS label, state = 'ok' AS is_read,
        CAST(NULL AS BOOLEAN) AS is_changed
    FROM judged_answer
    WHERE judge = $judge
)

SELECT
    j.run_id, r.model, r.dataset, r.run, count(*) FILTER (j.is_read) AS "read",
    count(*) FILTER (j.label = 'X') AS "X",
    count(*) FILTER (NOT j.is_read AND p.state = 'refused') AS refused,
    count(*) FILTER (NOT j.is_read AND p.state IN ('unparsable', 'truncated', 'unread')) AS unparsable,
    count(*) FILTER (NOT j.is_read AND p.state = 'failed') AS failed,
    count(*) FILTER (j.is_changed) AS changed, count(DISTINCT j.label) AS n_labels,
    min(j.label) AS label
FROM judged AS j
INNER JOIN current_run AS r ON j.run_id = r.run_id
LEFT JOIN parsed_reply AS p ON j.judgment_id = p.judgment_id
WHERE j.judgment_id IS NOT NULL
GROUP BY j.run_id, r.model, r.dataset, r.run
ORDER BY j.run_id DESC
