-- What is refused of choice scores.

-- name: questions_of_several_scorers
SELECT row, question_key
FROM (
    SELECT
        *,
        first_value(scorer) OVER (
            PARTITION BY model, split, question_key, pass, sample, component
            ORDER BY row
        ) AS first_scorer
    FROM stage_score
)
WHERE scorer IS DISTINCT FROM first_scorer
ORDER BY row
LIMIT 1
