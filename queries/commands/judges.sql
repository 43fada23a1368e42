-- The judges that boards of a task can be seen under, and whether one only ever drew letters: such
-- a one is a harness without a judge, and no board is under it unless it is asked for.
WITH known AS (
    SELECT DISTINCT
        s.judge_id,
        s.judge
    FROM judge_scope AS s
    WHERE s.task = $task AND s.judge <> 'none'
),

drawing AS (
    SELECT judge_id
    FROM main.judgment
    GROUP BY judge_id
    HAVING bool_and(coalesce(stated = 'drawn', false))
)

SELECT
    k.judge,
    d.judge_id IS NOT NULL AS draws_alone
FROM known AS k
LEFT JOIN drawing AS d ON k.judge_id = d.judge_id
ORDER BY k.judge
