-- How many models get a question of MMBench right under CircularEval, by each model's latest run. A
-- model that did not answer every pass of the question does not count for it. One row per question
-- and judge.
-- @internal
-- @n_models Models that answered the question.
-- @n_absent Models that did not answer every pass of it.
-- @n_right Models that get it right.
-- @n_open Models whose score is pending, or hidden.
-- @n_blind Models among n_models that read text alone (kind LLM).
-- @n_blind_right Those of them that get it right.
-- @n_seeing Models among n_models of any other kind, or of no known one.
-- @n_seeing_wrong Those of them that get it wrong, in every sample.
WITH answered AS (
    SELECT
        q.dataset, q.dataset_id, q.question_id, q.question_key, q.judge,
        CASE WHEN q.n_missing = 0 THEN 1 ELSE 0 END AS is_there,
        CASE WHEN q.n_missing = 0 AND q.score IS NULL THEN 1 ELSE 0 END AS is_open,
        CASE WHEN q.n_missing = 0 AND q.score_low = 1.0 THEN 1 ELSE 0 END AS is_right,
        CASE WHEN q.n_missing = 0 AND q.score_high = 0.0 THEN 1 ELSE 0 END AS is_wrong,
        CASE WHEN m.kind = 'LLM' THEN 1 ELSE 0 END AS is_blind
    FROM question_result AS q
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN current_model AS m USING (model_id)
    WHERE q.strategy = 'circular' AND r.benchmark = 'MMBench' AND r.is_latest
)

SELECT
    dataset, dataset_id, question_id, question_key, judge,
    CAST(sum(is_there) AS BIGINT) AS n_models, CAST(sum(1 - is_there) AS BIGINT) AS n_absent,
    CAST(sum(is_right) AS BIGINT) AS n_right, CAST(sum(is_open) AS BIGINT) AS n_open,
    CAST(sum(is_there * is_blind) AS BIGINT) AS n_blind,
    CAST(sum(is_right * is_blind) AS BIGINT) AS n_blind_right,
    CAST(sum(is_there * (1 - is_blind)) AS BIGINT) AS n_seeing,
    CAST(sum(is_wrong * (1 - is_blind)) AS BIGINT) AS n_seeing_wrong
FROM answered
GROUP BY dataset, dataset_id, question_id, question_key, judge
