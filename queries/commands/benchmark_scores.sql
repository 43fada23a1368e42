-- The figures of whole datasets, of each model's latest run; n_hidden are the dataset's questions
-- that have neither a right choice nor a reference here: a figure over them is NULL.
WITH hidden AS (
    SELECT r.run_id, count(*) AS n_hidden
    FROM main.question AS q
    INNER JOIN main.run AS r ON q.dataset_id = r.dataset_id
    WHERE
        q.question_id NOT IN (SELECT question_id FROM main.answer WHERE superseded_by IS NULL)
        AND q.question_id NOT IN (SELECT question_id FROM main.reference_answer)
    GROUP BY r.run_id
)

SELECT
    model, run, benchmark, dataset, version, split, language, judge, figure, figure_ordinal, score,
    score_low, score_high, n, n_answered, n_missing, n_pending, n_unread,
    coalesce(h.n_hidden, 0) AS n_hidden
FROM benchmark_score AS s
LEFT JOIN hidden AS h ON s.run_id = h.run_id
WHERE is_latest AND ability = 'Overall'
ORDER BY benchmark, dataset, model, figure_ordinal, judge
