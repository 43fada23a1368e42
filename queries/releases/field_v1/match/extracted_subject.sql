-- What judges extracted, as subjects of a program that compares it with the references. One row per
-- question, text and judge that extracted it.
-- @internal
-- @judge_id Who extracted it.
-- @subject_hash As of open_subject, with what was extracted as the answer.
WITH said AS (
    SELECT DISTINCT question_id, judge_id, reply AS text
    FROM judged_reply
    WHERE task = 'answer_extraction' AND state = 'ok'
)

SELECT
    s.question_id, s.judge_id, s.text,
    sha256(
        'open_answer/1,' || hex(q.text) || ',' || f.content || ',' || hex(s.text)
    ) AS subject_hash
FROM said AS s
INNER JOIN main.question AS q USING (question_id)
INNER JOIN reference_set AS f USING (question_id)
