-- What VLMEvalKit's label rules read from a text, all together. One row per question, pass and
-- text.
-- @label The label, Z for a refusal; NULL: none.
-- @rule word: the rule that gave it.
SELECT
    question_id, pass, text, text_read, word_label AS label,
    CASE WHEN word_label IS NOT NULL THEN 'word' END AS rule
FROM word_match
