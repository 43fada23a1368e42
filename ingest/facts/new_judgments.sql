-- What a judge said before, and what a file says that it judged.

-- name: prompts_of_a_judge
SELECT row, judge_sample, prompt
FROM stage_prompt
WHERE judge = $judge

-- name: known_judgments
SELECT {of}, reply, error, score, word
FROM main.judgment
WHERE
    judge_id = $judge_id
    AND run_id IN (SELECT DISTINCT run_id FROM stage_graded)

-- name: subjects_of_a_judge
WITH choices AS (
    SELECT
        c.question_id, c.pass, list(c.label ORDER BY c.ordinal) AS labels,
        list(c.text ORDER BY c.ordinal) AS texts
    FROM main.choice AS c
    SEMI JOIN stage_subject AS s ON c.question_id = s.question_id AND c.pass = s.pass
    GROUP BY c.question_id, c.pass
),

refs AS (
    SELECT question_id, list(text ORDER BY ordinal) AS texts
    FROM main.reference_answer
    WHERE question_id IN (SELECT question_id FROM stage_subject)
    GROUP BY question_id
)

SELECT
    s.row, s.question_key, s.run_id, q.text AS question, c.labels, c.texts, r.texts AS refs,
    s.judged_text, s.judge_sample, s.attempt, s.reply, s.error, s.log, s.stated, s.score, s.word,
    s.pass, s.sample,
    CASE WHEN s.is_own THEN s.question_id END AS own_question_id
FROM stage_subject AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
LEFT JOIN choices AS c ON s.question_id = c.question_id AND s.pass = c.pass
LEFT JOIN refs AS r ON s.question_id = r.question_id
WHERE s.judge = $judge AND NOT s.is_left_out
ORDER BY s.row, s.pass, s.judge_sample, s.attempt

-- name: stated_subjects_of_a_judge
-- The same of verdicts without replies, each of one answer alone, whatever its question says.
SELECT
    row, question_key, run_id, NULL AS question, NULL AS labels, NULL AS texts, NULL AS refs,
    judged_text, judge_sample, attempt, reply, error, log, stated, score, word, pass, sample,
    CASE WHEN is_own THEN question_id END AS own_question_id
FROM stage_subject
WHERE judge = $judge AND NOT is_left_out
ORDER BY row, pass, judge_sample, attempt
