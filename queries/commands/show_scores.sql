-- What it adds up to.
SELECT
    r.run, r.model, q.strategy, q.judge, q.score, q.score_low, q.score_high, q.n_passes,
    q.n_expected, q.n_missing, q.n_pending, q.n_fallback
FROM question_result AS q
INNER JOIN current_run AS r ON q.run_id = r.run_id
WHERE
    q.question_id = $question_id
    AND ($model_id IS NULL OR r.model_id = $model_id)
    AND ($judge IS NULL OR q.judge = $judge)
ORDER BY r.model, q.run_id, q.strategy, q.judge
