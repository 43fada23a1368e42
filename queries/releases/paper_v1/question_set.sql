-- Questions that are alike to a board, as sets named after their first question: they count for the same abilities in the same subsets, and have as many passes. What is computed of questions is added up by set first, and by ability from there. One row per choice question.
-- @set_id The first question of the set.
-- @n_expected Passes that the dataset holds.
-- @n_first 1 if pass 0 is among them.
-- @n_hidden Passes whose answer is hidden.
-- @n_first_hidden 1 if pass 0's answer is hidden.
WITH placed AS (
    SELECT
        question_id,
        array_to_string(list_sort(list(hex(subset) || ':' || CAST(ability_id AS VARCHAR))), ',') AS abilities
    FROM subset_level
    GROUP BY question_id
)

SELECT
    q.dataset_id,
    q.question_id,
    min(q.question_id) OVER (
        PARTITION BY q.dataset_id, p.abilities, q.n_expected, q.n_first, q.n_hidden, q.n_first_hidden
    ) AS set_id,
    q.n_expected,
    q.n_first,
    q.n_hidden,
    q.n_first_hidden
FROM question_shape AS q
INNER JOIN placed AS p ON q.question_id = p.question_id
