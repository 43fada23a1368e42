-- How often a model refuses to answer questions that count. One row per run that answered in text.
-- @n_answers Answers with text; neither empty nor failed.
-- @n_refusals Refusals among them.
-- @refusal_rate n_refusals as a share of n_answers; NULL: there is no answer with text.
WITH classified AS (
    SELECT
        run_id,
        CASE
            WHEN failed OR text IS NULL THEN 0
            -- Nearly all; looking for white space takes longer.
            WHEN regexp_matches(text, '[A-Za-z0-9]') THEN 1
            WHEN replace(spaced(text), ' ', '') = '' THEN 0
            ELSE 1
        END AS is_answer,
        0 AS is_refusal
    FROM main.prediction
    WHERE question_id NOT IN (SELECT question_id FROM left_out_question)
    UNION ALL
    SELECT run_id, 0 AS is_answer, 1 AS is_refusal
    FROM refusal
),

counted AS (
    SELECT run_id, sum(is_answer) AS n_answers, sum(is_refusal) AS n_refusals
    FROM classified
    GROUP BY run_id
)

SELECT
    c.run_id, r.benchmark, r.dataset, r.model, r.run, r.is_latest,
    CAST(c.n_answers AS BIGINT) AS n_answers, CAST(c.n_refusals AS BIGINT) AS n_refusals,
    CAST(c.n_refusals AS DOUBLE) / nullif(c.n_answers, 0) AS refusal_rate
FROM counted AS c
INNER JOIN current_run AS r USING (run_id)
