-- Questions that want a text and an image (SEED-Bench-2, task 27): the text has to be right and
-- then the image too; the rate of right texts is given too. One row per run of a dataset with such
-- questions.
-- @n Answers to questions that want both, missing ones included.
-- @n_text_right Answers whose text is right.
-- @n_right Answers whose text and image are right.
-- @text_score n_text_right / n; NULL while a right label is hidden.
-- @score n_right / n.
WITH components AS (
    SELECT
        run_id, question_id, sample, max(CASE WHEN component = 'text' THEN score END) AS text_score,
        min(score) AS score, sum(CASE WHEN score IS NULL THEN 1 ELSE 0 END) AS n_hidden
    FROM pass_result
    WHERE component <> 'answer' AND pass = 0 AND judge = 'none'
    GROUP BY run_id, question_id, sample
)

SELECT
    c.run_id, r.model, r.run, r.dataset, count(*) AS n,
    CAST(sum(c.text_score) AS BIGINT) AS n_text_right, CAST(sum(c.score) AS BIGINT) AS n_right,
    CASE WHEN sum(c.n_hidden) = 0 THEN avg(c.text_score) END AS text_score,
    CASE WHEN sum(c.n_hidden) = 0 THEN avg(c.score) END AS score
FROM components AS c
INNER JOIN current_run AS r USING (run_id)
GROUP BY c.run_id, r.model, r.run, r.dataset
