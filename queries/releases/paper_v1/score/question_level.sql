-- Every ability that a question counts for: those it is filed under, the ones above them or made of
-- them, and Overall. One row per question and ability.
SELECT DISTINCT q.question_id, u.above_id AS ability_id
FROM main.question_ability AS q
INNER JOIN ability_above AS u USING (ability_id)
UNION ALL
SELECT question_id, 0 AS ability_id
FROM main.question
