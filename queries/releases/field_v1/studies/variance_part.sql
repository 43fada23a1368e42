-- The error of a run's score taken apart: how much of it is which questions were asked, which
-- answers the model happened to give, and what the judge happened to say. Unbiased estimates by the
-- analysis of variance of a balanced design, answers within questions and judge samples within
-- answers, so that one may come out below 0. Where there is one answer to a question, what answers
-- differ by is in the part of the questions; where there is one judge sample, the judge's is in
-- that of the answers. One row per run, judge and part, of runs whose questions have equally many
-- answers, and these equally many judge samples, all of them scored.
-- @part questions, answers or judge.
-- @n How many there are: questions, answers to each, judge samples of each answer.
-- @variance Between them, of one score; NULL: one alone does not tell.
-- @share What this part is of the squared standard error.
-- @stderr Standard error of the score as it is.
-- @stderr_without The same if this part were known exactly; of questions that over these questions.
-- @stderr_one_more The same with one more of them: a question, an answer to each question, or a
--   judge sample.
WITH answered AS (
    SELECT
        run_id, dataset_id, question_id, judge, sample, count(*) AS n_judged,
        count(score) AS n_scored, avg(score) AS mean, stddev_samp(score) AS deviation
    FROM answer_score
    GROUP BY run_id, dataset_id, question_id, judge, sample
),

asked AS (
    SELECT
        run_id, question_id, judge, count(*) AS n_answers, min(n_judged) AS least_judged,
        max(n_judged) AS most_judged,
        min(CASE WHEN n_scored = n_judged THEN 1 ELSE 0 END) AS is_scored, avg(mean) AS mean,
        stddev_samp(mean) AS deviation, avg(deviation * deviation) AS judge_variance
    FROM answered
    GROUP BY run_id, question_id, judge
),

summed AS (
    SELECT
        run_id, judge, count(*) AS n_questions, max(n_answers) AS n_answers,
        max(most_judged) AS n_judged, avg(mean) AS score,
        stddev_samp(mean) * stddev_samp(mean) AS of_questions,
        avg(deviation * deviation) AS of_answers, avg(judge_variance) AS of_judge
    FROM asked
    GROUP BY run_id, judge
    HAVING
        min(is_scored) = 1
        AND min(n_answers) = max(n_answers)
        AND min(least_judged) = max(most_judged)
        AND count(*) > 1
),

-- What each spread holds of the parts below it is taken out.
parted AS (
    SELECT
        *,
        CASE
            WHEN n_answers > 1 THEN of_questions - of_answers / n_answers
            WHEN n_judged > 1 THEN of_questions - of_judge / n_judged
            ELSE of_questions
        END AS question_variance,
        CASE
            WHEN n_answers > 1 AND n_judged > 1 THEN of_answers - of_judge / n_judged
            WHEN n_answers > 1 THEN of_answers
        END AS answer_variance,
        CASE WHEN n_judged > 1 THEN of_judge END AS judge_variance,
        of_questions / n_questions AS squared_error
    FROM summed
),

long AS (
    SELECT
        run_id, judge, score, squared_error, 'questions' AS part, 0 AS place, n_questions AS n,
        question_variance AS variance, question_variance / n_questions AS of_error,
        of_questions / (n_questions + 1) AS one_more
    FROM parted
    UNION ALL
    SELECT
        run_id, judge, score, squared_error, 'answers' AS part, 1 AS place, n_answers AS n,
        answer_variance AS variance, answer_variance / (n_questions * n_answers) AS of_error,
        (of_questions - of_answers / n_answers + of_answers / (n_answers + 1)) / n_questions AS one_more
    FROM parted
    UNION ALL
    SELECT
        run_id, judge, score, squared_error, 'judge' AS part, 2 AS place, n_judged AS n,
        judge_variance AS variance,
        judge_variance / (n_questions * n_answers * n_judged) AS of_error,
        (
            of_questions - of_judge / (n_answers * n_judged) + of_judge / (n_answers * (n_judged + 1))
        ) / n_questions AS one_more
    FROM parted
)

SELECT
    l.run_id, r.model, r.run, r.dataset, l.judge, l.part, l.score, l.n, l.variance,
    l.of_error / nullif(l.squared_error, 0) AS share, sqrt(l.squared_error) AS stderr,
    sqrt(CASE WHEN l.squared_error - l.of_error < 0 THEN 0.0 ELSE l.squared_error - l.of_error END) AS stderr_without,
    CASE WHEN l.variance IS NOT NULL THEN sqrt(CASE WHEN l.one_more < 0 THEN 0.0 ELSE l.one_more END)
        END AS stderr_one_more
FROM long AS l
INNER JOIN current_run AS r USING (run_id)
