-- The abilities that a question counts for within each subset of its dataset. One row per question,
-- subset and ability.
-- @internal
-- @subset The subset's name; all for the whole dataset.
SELECT question_id, 'all' AS subset, ability_id
FROM question_level
UNION ALL
SELECT l.question_id, s.name AS subset, l.ability_id
FROM main.dataset_subset AS s
INNER JOIN main.subset_question AS q USING (subset_id)
INNER JOIN question_level AS l USING (question_id)
WHERE s.superseded_by IS NULL
