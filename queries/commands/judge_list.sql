-- Each judge: who it is, what it has said, and what that cost.
SELECT
    g.name AS judge, g.task, g.kind, g.model AS "requested",
    string_agg(DISTINCT p.returned_model, ', ') AS "said it was", g.template, g.sampling,
    count(DISTINCT p.subject_hash) AS subjects, count(p.judgment_id) AS judgments,
    count(p.judgment_id) FILTER (p.state = 'ok') AS verdicts,
    count(p.judgment_id) FILTER (p.state NOT IN ('ok', 'failed')) AS unusable,
    count(p.judgment_id) FILTER (p.state = 'failed') AS failed,
    sum(CASE WHEN p.origin IN ('call', 'batch') THEN p.cost_usd END) AS "cost, $",
    CASE WHEN g.retracted_at IS NULL THEN '' ELSE 'retracted' END AS state
FROM main.judge AS g
LEFT JOIN (
    SELECT r.judge_id, r.judgment_id, r.subject_hash, r.state, j.returned_model, j.origin, j.cost_usd
    FROM parsed_reply AS r
    INNER JOIN main.judgment AS j ON r.judgment_id = j.judgment_id
) AS p ON g.judge_id = p.judge_id
GROUP BY ALL
ORDER BY g.name
