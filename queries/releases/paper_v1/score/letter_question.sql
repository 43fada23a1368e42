-- Grades by letter of open questions, averaged over the samples of a run; the same answer graded
-- more than once counts with the mean of its grades. One row per run that was graded so, question
-- of its dataset and judge.
-- @n_expected Samples.
-- @n_missing Samples without an answer; they score 0, as blank ones do.
-- @n_pending Samples whose answer has no grade.
WITH graded AS (
    SELECT run_id, judge_id, subject_hash, avg(grade_score) AS score
    FROM letter_grade
    WHERE grade IS NOT NULL
    GROUP BY run_id, judge_id, subject_hash
),

slot AS (
    SELECT
        r.run_id, r.model, r.dataset, g.judge_id, g.judge, q.question_id, q.question_key, s.sample
    FROM (SELECT DISTINCT run_id, judge_id, judge FROM letter_grade) AS g
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.run_sample AS s USING (run_id)
    WHERE r.task = 'open'
),

answered AS (
    SELECT
        l.* EXCLUDE (sample),
        CASE WHEN a.state IS NULL OR a.state = 'failed' THEN 1 ELSE 0 END AS is_missing,
        CASE WHEN a.state = 'open' AND g.score IS NULL THEN 1 ELSE 0 END AS is_pending,
        CASE WHEN a.state = 'open' THEN g.score ELSE CAST(0 AS DOUBLE) END AS score
    FROM slot AS l
    LEFT JOIN open_answer AS a USING (run_id, question_id, sample)
    LEFT JOIN open_subject AS s ON a.question_id = s.question_id AND a.prediction = s.text
    LEFT JOIN graded AS g
        ON l.run_id = g.run_id AND l.judge_id = g.judge_id AND s.subject_hash = g.subject_hash
)

SELECT
    run_id, model, dataset, question_id, question_key, judge_id, judge, count(*) AS n_expected,
    CAST(sum(is_missing) AS BIGINT) AS n_missing, CAST(sum(is_pending) AS BIGINT) AS n_pending,
    CASE WHEN sum(is_pending) = 0 THEN avg(score) END AS score,
    avg(coalesce(score, CAST(0 AS DOUBLE))) AS score_low,
    avg(coalesce(score, CAST(1 AS DOUBLE))) AS score_high
FROM answered
GROUP BY run_id, model, dataset, question_id, question_key, judge_id, judge
