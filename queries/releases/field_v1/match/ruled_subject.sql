-- What a judge gets who extracts an answer, compares it or grades it: the distinct answers to
-- questions of such a rule, blank ones too. One row per question and text.
-- @internal
-- @subject_hash As of open_subject, with an empty text for a blank cell.
WITH said AS (
    SELECT p.question_id, p.text
    FROM main.prediction AS p
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN question_rule AS u USING (question_id)
    WHERE p.pass = 0 AND u.rule IN ('extracted', 'graded')
    GROUP BY p.question_id, p.text
)

SELECT
    s.question_id, s.text,
    sha256(
        'open_answer/1,' || hex(q.text) || ',' || f.content || ',' || hex(coalesce(s.text, ''))
    ) AS subject_hash
FROM said AS s
INNER JOIN main.question AS q USING (question_id)
INNER JOIN reference_set AS f USING (question_id)
