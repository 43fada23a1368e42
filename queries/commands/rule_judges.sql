-- The judges that a benchmark of answers in words has verdicts of, or whose verdicts its rules
-- want.
WITH rule AS (
    SELECT rule, coalesce(normaliser, '') AS normaliser
    FROM main.benchmark_rule
    WHERE benchmark_id = $benchmark_id AND superseded_by IS NULL
),

stating AS (
    SELECT DISTINCT j.judge_id
    FROM main.judgment AS j
    INNER JOIN main.question AS q ON j.question_id = q.question_id
    INNER JOIN main.dataset AS d ON q.dataset_id = d.dataset_id
    WHERE j.stated IS NOT NULL AND d.benchmark_id = $benchmark_id
),

found AS (
    SELECT
        g.name AS judge,
        EXISTS (
            SELECT *
            FROM rule AS u
            WHERE
                (
                    u.rule = 'extracted'
                    AND u.normaliser IN ('equivalence', 'bare', 'words')
                    AND g.task = 'equivalence'
                    AND coalesce(g.endpoint, '') NOT LIKE 'program:%'
                )
                OR (
                    u.rule = 'extracted'
                    AND u.normaliser NOT IN ('equivalence', 'bare', 'words')
                    AND g.task = 'answer_extraction'
                )
                OR (u.rule = 'extracted' AND u.normaliser = 'math' AND g.kind = 'program')
                OR (u.rule = 'graded' AND u.normaliser = 'pair' AND g.task = 'pair')
                OR (u.rule = 'graded' AND starts_with(u.normaliser, 'points_') AND g.task = 'points')
        ) AS is_wanted,
        s.judge_id IS NOT NULL AS is_stating
    FROM main.judge AS g
    LEFT JOIN stating AS s ON g.judge_id = s.judge_id
    WHERE g.retracted_at IS NULL AND g.name <> 'none'
)

SELECT judge
FROM found
WHERE is_wanted OR is_stating
ORDER BY judge
