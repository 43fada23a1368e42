-- The verdicts of pass_result counted, from which every strategy is computed. A pass that wants a
-- text and an image is one pass, and right if both are. One row per run, choice question, sample,
-- judge and judge sample.
-- @n_answered Passes with an answer (with every component of one).
-- @n_right Passes found right, no matter what resolved them.
-- @n_pending Passes without a usable reply yet.
-- @n_fallback Passes whose label was drawn.
WITH whole AS (
    SELECT
        run_id, question_id, pass, sample, judge, judge_sample,
        CASE WHEN resolved_by <> 'missing' THEN 1 ELSE 0 END AS is_answered,
        CASE WHEN score IS NULL AND resolved_by <> 'pending' THEN 1 ELSE 0 END AS is_hidden,
        CASE WHEN score = 1.0 THEN 1 ELSE 0 END AS is_right,
        CASE WHEN resolved_by = 'pending' THEN 1 ELSE 0 END AS is_pending,
        CASE WHEN resolved_by = 'random' THEN 1 ELSE 0 END AS is_fallback
    FROM pass_result
    WHERE task = 'choice' AND component = 'answer'
    UNION ALL
    SELECT
        run_id, question_id, pass, sample, judge, judge_sample,
        min(CASE WHEN resolved_by <> 'missing' THEN 1 ELSE 0 END) AS is_answered,
        max(CASE WHEN score IS NULL AND resolved_by <> 'pending' THEN 1 ELSE 0 END) AS is_hidden,
        min(CASE WHEN score = 1.0 THEN 1 ELSE 0 END) AS is_right,
        -- Not where one part is known to be wrong.
        min(CASE WHEN score = 1.0 OR resolved_by = 'pending' THEN 1 ELSE 0 END)
        * max(CASE WHEN resolved_by = 'pending' THEN 1 ELSE 0 END) AS is_pending,
        max(CASE WHEN resolved_by = 'random' THEN 1 ELSE 0 END) AS is_fallback
    FROM pass_result
    WHERE task = 'choice' AND component <> 'answer'
    GROUP BY run_id, question_id, pass, sample, judge, judge_sample
)

SELECT
    run_id, question_id, sample, judge, judge_sample, count(*) AS n_expected,
    count(CASE WHEN pass = 0 THEN 1 END) AS n_first,
    count(CASE WHEN is_hidden = 1 THEN 1 END) AS n_hidden,
    count(CASE WHEN is_hidden = 1 AND pass = 0 THEN 1 END) AS n_first_hidden,
    count(CASE WHEN is_answered = 1 THEN 1 END) AS n_answered,
    count(CASE WHEN is_answered = 1 AND pass = 0 THEN 1 END) AS first_answered,
    count(CASE WHEN is_right = 1 THEN 1 END) AS n_right,
    count(CASE WHEN is_right = 1 AND pass = 0 THEN 1 END) AS first_right,
    count(CASE WHEN is_pending = 1 THEN 1 END) AS n_pending,
    count(CASE WHEN is_pending = 1 AND pass = 0 THEN 1 END) AS first_pending,
    count(CASE WHEN is_fallback = 1 THEN 1 END) AS n_fallback,
    count(CASE WHEN is_fallback = 1 AND pass = 0 THEN 1 END) AS first_fallback
FROM whole
GROUP BY run_id, question_id, sample, judge, judge_sample
