-- Each judge and what it has judged. No view has rows of a retracted judge.
SELECT
    g.name AS judge, g.task, g.kind, coalesce(count(DISTINCT p.subject_hash), 0) AS subjects,
    count(p.judgment_id) AS judgments, count(p.judgment_id) FILTER (p.state = 'ok') AS verdicts,
    count(p.judgment_id) FILTER (p.state = 'failed') AS failed,
    count(p.judgment_id) FILTER (p.state NOT IN ('ok', 'failed')) AS unusable,
    CASE WHEN g.retracted_at IS NULL THEN '' ELSE 'retracted' END AS state
FROM main.judge AS g
LEFT JOIN (
    SELECT judge_id, judgment_id, subject_hash, state
    FROM parsed_reply
    WHERE task <> 'letter_grade'
    UNION ALL
    SELECT judge_id, judgment_id, subject_hash, state
    FROM letter_grade
) AS p ON g.judge_id = p.judge_id
GROUP BY ALL
ORDER BY g.name
