-- What each judge adds to what the rules decide of a question, counted. One row per run, question, sample, judge and judge sample, for questions with an answer that the rules leave open.
-- @n_right Passes that the judge, or the draw, finds right.
-- @n_pending Passes without a usable reply yet.
-- @n_fallback Passes whose label was drawn.
-- @first_right As n_right, for pass 0 alone.
-- @first_pending As n_pending, for pass 0 alone.
-- @first_fallback As n_fallback, for pass 0 alone.
SELECT
    run_id,
    question_id,
    sample,
    judge_id,
    judge,
    judge_sample,
    count(CASE WHEN score = 1.0 THEN 1 END) AS n_right,
    count(CASE WHEN resolved_by = 'pending' THEN 1 END) AS n_pending,
    count(CASE WHEN resolved_by = 'random' THEN 1 END) AS n_fallback,
    count(CASE WHEN pass = 0 AND score = 1.0 THEN 1 END) AS first_right,
    count(CASE WHEN pass = 0 AND resolved_by = 'pending' THEN 1 END) AS first_pending,
    count(CASE WHEN pass = 0 AND resolved_by = 'random' THEN 1 END) AS first_fallback
FROM judged_pass
GROUP BY run_id, question_id, sample, judge_id, judge, judge_sample
