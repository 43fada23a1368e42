-- What a row of questions says, as a number.

-- name: sign
-- The sum of what a row says: the order in which its choices were staged is not part of it.
WITH said AS (
    SELECT row, split, hash($task, question_key, pass, text, answer, image) AS number
    FROM stage_question
    UNION ALL
    SELECT row, NULL, hash('choice', pass, label, ordinal, text)
    FROM stage_choice
    UNION ALL
    SELECT row, NULL, hash('reference', ordinal, text)
    FROM stage_reference
    UNION ALL
    SELECT row, NULL, hash('attribute', name, value)
    FROM stage_attribute
    UNION ALL
    SELECT row, NULL, hash('ability', depth, level, field, spelling)
    FROM stage_ability
    UNION ALL
    SELECT row, NULL, hash('component', field, component)
    FROM stage_component
)

SELECT max(split) AS split, sum(number) AS signature
FROM said
GROUP BY row
