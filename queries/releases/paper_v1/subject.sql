-- What a judge would be asked about: the texts that the rules do not match. One row per question, pass and text. The hash is of the content alone, so that the same question and answer is the same subject in every run.
-- @subject_hash sha256 over a version tag, question, choices and prediction, each as hexadecimal UTF-8, with commas between.
SELECT
    m.question_id,
    m.pass,
    m.text,
    sha256(
        'choice_extraction/1,' || hex(q.text) || ',' || c.content || ',' || hex(m.text)
    ) AS subject_hash
FROM text_match AS m
INNER JOIN main.question AS q ON m.question_id = q.question_id
INNER JOIN choice_set AS c ON m.question_id = c.question_id AND m.pass = c.pass
WHERE m.state = 'open'
