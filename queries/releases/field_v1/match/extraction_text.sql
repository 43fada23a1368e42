-- The texts that the rule extracted looks at: answers, and what judges extracted from them. One row
-- per question and text.
-- @internal
SELECT t.question_id, t.text
FROM answer_read AS t
INNER JOIN question_rule AS u USING (question_id)
WHERE t.pass = 0 AND u.rule IN ('extracted', 'graded')
UNION
SELECT question_id, reply AS text
FROM judged_reply
WHERE task = 'answer_extraction' AND state = 'ok'
