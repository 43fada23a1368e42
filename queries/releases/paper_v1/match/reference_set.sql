-- The references of each open question as one value. One row per question of an open benchmark,
-- also of those without references.
-- @internal
-- @n_references How many there are.
-- @content The references in the form that a subject's hash takes: hexadecimal, sorted, in
--   brackets.
WITH coded AS (
    SELECT q.question_id, CAST(NULL AS VARCHAR) AS code
    FROM main.question AS q
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.task = 'open'
    UNION ALL
    SELECT question_id, hex(text) AS code
    FROM main.reference_answer
)

-- No LEFT JOIN, for the reason that dataset_pass gives.
SELECT
    question_id, count(code) AS n_references,
    '[' || array_to_string(
        list_sort(list_filter(list(code), lambda x_: x_ IS NOT NULL)), ','
    ) || ']' AS content
FROM coded
GROUP BY question_id
