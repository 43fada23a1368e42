-- Answers in words, under each judge that gives soft scores or marks. There is no random fallback:
-- what no attempt can be read of stays pending. One row per run, question, sample, judge and judge
-- sample, for the answers that are neither blank nor failed.
-- @prediction The raw output that is judged.
-- @verdict_score The soft score (0 to 1) or mark (1 to 5); NULL: pending.
-- @resolved_by graded or pending.
WITH with_verdicts AS (
    SELECT
        a.run_id, a.model, a.dataset, a.question_id, a.question_key, a.pass, a.sample, a.prediction,
        s.subject_hash, j.task, j.judge_id, j.judge, j.judge_sample, j.is_first, j.max_attempts,
        own.state = 'ok' OR own.n_unusable >= j.max_attempts AS is_own,
        own.judgment_id AS own_judgment_id, own.verdict_score AS own_score,
        own.n_unusable AS own_n_unusable, shared.judgment_id AS shared_judgment_id,
        shared.verdict_score AS shared_score, shared.n_unusable AS shared_n_unusable
    FROM open_answer AS a
    INNER JOIN open_subject AS s ON a.question_id = s.question_id AND a.prediction = s.text
    INNER JOIN judge_asked AS j ON j.task IN ('soft_score', 'mark')
    LEFT JOIN verdict AS own USING (subject_hash, judge_id, judge_sample, run_id)
    LEFT JOIN shared_verdict AS shared USING (subject_hash, judge_id, judge_sample)
    WHERE a.state = 'open'
),

-- Its own import, if that settles it: a verdict, or nothing after all attempts.
chosen AS (
    SELECT
        *,
        CASE WHEN is_own THEN own_judgment_id ELSE shared_judgment_id END AS judgment_id,
        CASE WHEN is_own THEN own_score ELSE shared_score END AS verdict_score,
        coalesce(CASE WHEN is_own THEN own_n_unusable ELSE shared_n_unusable END, 0) AS n_unusable
    FROM with_verdicts
)

SELECT
    run_id, model, dataset, question_id, question_key, pass, sample, task, judge_id, judge,
    judge_sample, is_first, subject_hash, judgment_id, prediction, n_unusable, max_attempts,
    verdict_score,
    CASE WHEN verdict_score IS NULL THEN 'pending' ELSE 'graded' END AS resolved_by
FROM chosen
