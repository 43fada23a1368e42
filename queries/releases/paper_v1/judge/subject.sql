-- What a judge would judge: the texts that the rules do not match. One row per question, pass and
-- text. The hash is of the content alone, so that the same question and answer is the same subject
-- in every run.
-- @subject_hash sha256 over a version tag, question, choices and prediction, each as hexadecimal
--   UTF-8, with commas between.
WITH said AS (
    SELECT DISTINCT question_id, pass, prediction AS text
    FROM choice_match
    WHERE state = 'open'
)

SELECT
    s.question_id, s.pass, s.text,
    sha256(
        'choice_extraction/1,' || hex(q.text) || ',' || c.content || ',' || hex(s.text)
    ) AS subject_hash
FROM said AS s
INNER JOIN main.question AS q USING (question_id)
INNER JOIN choice_set AS c USING (question_id, pass)
