-- The answers to a benchmark's questions that two releases score or decide differently, of each
-- model's latest run. Of CircularEval pass 0. `how` is the rule that read the answer, or what
-- became of it.
WITH one AS (
    SELECT a.*, coalesce(m.rule, u.rule || coalesce(' ' || u.normaliser, '')) AS its_rule
    FROM before_release.pass_result AS a
    LEFT JOIN before_release.choice_match AS m
        ON
            a.run_id = m.run_id
            AND a.question_id = m.question_id
            AND a.pass = m.pass
            AND a.sample = m.sample
    LEFT JOIN before_rules AS u ON a.question_id = u.question_id AND a.task = 'rule'
    WHERE a.judge = $judge AND a.pass = 0
),

other AS (
    SELECT b.*, coalesce(m.rule, u.rule || coalesce(' ' || u.normaliser, '')) AS its_rule
    FROM after_release.pass_result AS b
    LEFT JOIN after_release.choice_match AS m
        ON
            b.run_id = m.run_id
            AND b.question_id = m.question_id
            AND b.pass = m.pass
            AND b.sample = m.sample
    LEFT JOIN after_rules AS u ON b.question_id = u.question_id AND b.task = 'rule'
    WHERE b.judge = $judge_after AND b.pass = 0
),

sampled AS (
    SELECT run_id, count(*) AS n_samples
    FROM main.run_sample
    GROUP BY run_id
)

SELECT
    r.run_id, a.dataset, a.model, a.run, a.question_key, a.sample,
    CASE WHEN a.resolved_by = 'rule' THEN coalesce(a.its_rule, 'rule') ELSE a.resolved_by END AS how_before,
    CASE WHEN b.resolved_by = 'rule' THEN coalesce(b.its_rule, 'rule') ELSE b.resolved_by END AS how_after,
    a.predicted AS before, b.predicted AS after, coalesce(a.answer, b.answer) AS answer,
    a.score AS score_before, b.score AS score_after,
    (coalesce(b.score, 0) - coalesce(a.score, 0)) / s.n_samples AS points,
    CASE
        WHEN a.resolved_by = 'pending' OR b.resolved_by = 'pending' THEN 'pending'
        WHEN a.score IS NULL OR b.score IS NULL THEN 'hidden'
        WHEN a.score >= 1 AND b.score = 0 THEN 'right to wrong'
        WHEN a.score = 0 AND b.score >= 1 THEN 'wrong to right'
        WHEN b.score > a.score THEN 'better'
        WHEN b.score < a.score THEN 'worse'
        ELSE 'same score'
    END AS change,
    (a.resolved_by IN ('unresolved', 'pending', 'random') OR b.resolved_by IN ('unresolved', 'pending', 'random'))
    AND trim(coalesce(p.text, '')) <> '' AS may_be_judged,
    substr(p.text, 1, 200) AS text
FROM one AS a
INNER JOIN other AS b
    ON
        a.run_id = b.run_id
        AND a.question_id = b.question_id
        AND a.sample = b.sample
        AND a.component = b.component
        AND a.judge_sample = b.judge_sample
INNER JOIN before_release.current_run AS r ON a.run_id = r.run_id
INNER JOIN sampled AS s ON a.run_id = s.run_id
LEFT JOIN main.prediction AS p
    ON a.run_id = p.run_id AND a.question_id = p.question_id AND a.pass = p.pass AND a.sample = p.sample
WHERE
    lower(r.benchmark) = lower($benchmark)
    AND r.is_latest
    AND (
        a.score IS DISTINCT FROM b.score
        OR a.predicted IS DISTINCT FROM b.predicted
        OR a.resolved_by <> b.resolved_by
    )
ORDER BY a.dataset, a.model, a.question_id, a.sample
