-- Questions that are alike to a board, as sets named after their first question: they count for the
-- same abilities in the same subsets. Scores are added up by set first, and by ability from there,
-- which is fewer rows. One row per question.
-- @set_id The first question of the set.
WITH placed AS (
    SELECT
        question_id,
        array_to_string(list_sort(list(hex(subset) || ':' || CAST(ability_id AS VARCHAR))), ',') AS abilities
    FROM subset_level
    GROUP BY question_id
)

SELECT
    q.dataset_id, q.question_id,
    min(q.question_id) OVER (PARTITION BY q.dataset_id, p.abilities) AS set_id
FROM main.question AS q
INNER JOIN placed AS p USING (question_id)
