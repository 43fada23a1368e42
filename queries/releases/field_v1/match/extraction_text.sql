-- The texts that the rule extracted looks at: answers, and what judges extracted from them. One row
-- per question and text.
-- @internal
SELECT
    question_id,
    text
FROM ruled_subject
UNION
SELECT
    question_id,
    reply AS text
FROM judged_reply
WHERE task = 'answer_extraction' AND state = 'ok'
