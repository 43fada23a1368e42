-- Rules and judges together: the counts that every strategy is computed from. One row per run, question, sample, judge and judge sample.
-- @is_first Whether it is the judge's first sample.
-- @n_required The passes that have to be right for the question to be right under CircularEval.
-- @n_right Passes found right, by whatever resolved them.
-- @n_pending Passes without a usable reply yet.
-- @n_fallback Passes whose label was drawn.
SELECT
    q.run_id,
    q.model,
    q.dataset,
    q.question_id,
    q.question_key,
    q.sample,
    j.judge_id,
    j.judge,
    j.judge_sample,
    j.is_first,
    q.n_expected,
    q.n_required,
    q.n_first,
    q.n_hidden,
    q.n_first_hidden,
    q.n_answered,
    q.first_answered,
    q.n_right + coalesce(t.n_right, 0) AS n_right,
    coalesce(t.n_pending, 0) AS n_pending,
    coalesce(t.n_fallback, 0) AS n_fallback,
    q.first_right + coalesce(t.first_right, 0) AS first_right,
    coalesce(t.first_pending, 0) AS first_pending,
    coalesce(t.first_fallback, 0) AS first_fallback
FROM question_tally AS q
INNER JOIN judge_scope AS j ON j.task = 'choice_extraction'
LEFT JOIN judged_tally AS t
    ON
        q.run_id = t.run_id
        AND q.question_id = t.question_id
        AND q.sample = t.sample
        AND j.judge_id = t.judge_id
        AND j.judge = t.judge
        AND j.judge_sample = t.judge_sample
