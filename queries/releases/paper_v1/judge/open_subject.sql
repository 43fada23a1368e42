-- What a judge gets of an answer in words. One row per question and text that is not blank. The
-- hash is of the content alone, so that the same question, references and answer are the same
-- subject in every run.
-- @internal
-- @subject_hash sha256 over a version tag, question, references and prediction, each as hexadecimal
--   UTF-8, with commas between.
WITH said AS (
    SELECT DISTINCT question_id, prediction AS text
    FROM open_answer
    WHERE state = 'open'
)

SELECT
    s.question_id, s.text,
    sha256('open_answer/1,' || hex(q.text) || ',' || r.content || ',' || hex(s.text)) AS subject_hash
FROM said AS s
INNER JOIN main.question AS q USING (question_id)
INNER JOIN reference_set AS r USING (question_id)
