-- The benchmark of each question. One row per question.
-- @internal
SELECT q.question_id, b.name AS benchmark
FROM main.question AS q
INNER JOIN main.dataset AS d USING (dataset_id)
INNER JOIN main.benchmark AS b USING (benchmark_id)
