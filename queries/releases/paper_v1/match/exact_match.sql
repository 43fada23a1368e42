-- Whether an answer in words equals a reference: the score without a judge of VQA benchmarks
-- (MMBench, Section 4.3). Both are compared in lower case, with single spaces and without one full
-- stop at the end (see the macros compared_answer and plain_answer); of several references, or
-- alternatives between <OR>, one is enough. One row per run, question and sample; every open
-- question of the dataset has its rows.
-- @state open (text), blank, failed (inference), or missing (no answer).
-- @score 1 or 0, also 0 where there is no answer; NULL: the question has no reference.
-- @n_references How many the question has; alternatives between <OR> are one.
-- @prediction The model's raw output; NULL: there is none.
WITH said AS (
    SELECT DISTINCT question_id, as_read
    FROM open_text
    WHERE state = 'open'
),

plain_said AS (
    SELECT question_id, as_read, plain_answer(compared_answer(as_read)) AS answer
    FROM said
),

plain_reference AS (
    SELECT
        question_id,
        list_transform(string_split(text, '<OR>'), lambda x_: plain_answer(x_)) AS alternatives
    FROM main.reference_answer
),

equal AS (
    SELECT DISTINCT s.question_id, s.as_read
    FROM plain_said AS s
    INNER JOIN plain_reference AS r USING (question_id)
    WHERE array_length(list_filter(r.alternatives, lambda x_: x_ = s.answer)) > 0
),

-- No LEFT JOIN, for the reason that dataset_pass gives.
compared AS (
    SELECT
        r.run_id, q.question_id, s.sample, CAST(NULL AS VARCHAR) AS state,
        CAST(NULL AS VARCHAR) AS prediction, 0 AS is_equal
    FROM current_run AS r
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.run_sample AS s USING (run_id)
    WHERE r.task = 'open'
    UNION ALL
    SELECT run_id, question_id, sample, state, prediction, 0 AS is_equal
    FROM open_answer
    UNION ALL
    SELECT a.run_id, a.question_id, a.sample, NULL AS state, NULL AS prediction, 1 AS is_equal
    FROM open_text AS a
    INNER JOIN equal AS e USING (question_id, as_read)
    WHERE a.state = 'open'
),

settled AS (
    SELECT
        run_id, question_id, sample, coalesce(max(state), 'missing') AS state,
        max(prediction) AS prediction, max(is_equal) AS is_equal
    FROM compared
    GROUP BY run_id, question_id, sample
)

SELECT
    s.run_id, r.model, r.dataset, s.question_id, q.question_key, s.sample, s.state,
    CASE WHEN f.n_references > 0 THEN CAST(s.is_equal AS DOUBLE) END AS score,
    f.n_references, s.prediction
FROM settled AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
INNER JOIN reference_set AS f USING (question_id)
