-- Every pass that a dataset holds, with its answer. One row per question and pass.
-- @answer The right label; NULL where answers are hidden.
WITH declared AS (
    SELECT question_id, pass, CAST(NULL AS VARCHAR) AS label
    FROM main.question_pass
    UNION ALL
    SELECT question_id, pass, label
    FROM main.answer
    WHERE superseded_by IS NULL
),

-- No LEFT JOIN: where no answer at all is known, DuckDB 2.0.0 loses the NULLs of a join with an
-- empty table when a query uses this view twice (its optimizer common_subplan).
held AS (
    SELECT question_id, pass, max(label) AS answer
    FROM declared
    GROUP BY question_id, pass
)

SELECT q.dataset_id, q.question_id, q.question_key, h.pass, h.answer
FROM main.question AS q
INNER JOIN held AS h USING (question_id)
