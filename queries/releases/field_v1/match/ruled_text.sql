-- The distinct answers to questions that a rule for words scores, with what the rule wants. One row
-- per question and text.
-- @internal
SELECT
    t.question_id, t.text, rule_text(t.text) AS answer, r.rule, r.normaliser, r.tolerance,
    l.answers, l.reference
FROM answer_read AS t
INNER JOIN question_rule AS r USING (question_id)
INNER JOIN reference_list AS l USING (question_id)
WHERE t.pass = 0 AND r.rule IN ('yes_no', 'exact', 'contains', 'number', 'anls', 'vqa')
