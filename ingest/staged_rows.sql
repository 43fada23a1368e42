-- Judgments that were read row by row.

-- name: stage_grades
INSERT INTO stage_judgment
SELECT
    row, model, split, question_key, pass_number, sample, judge, judge_sample, attempt, prediction,
    reply, error, log, stated, score, word
FROM new_grades
