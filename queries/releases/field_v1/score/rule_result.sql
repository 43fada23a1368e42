-- Verdicts of the rules for answers in words, for every question of such a rule, answered or not. One
-- row per run, question, sample, judge and judge sample: in a benchmark of choices under every judge, else
-- under none, and where a rule needs judges (judged_rule_result) under them.
-- @predicted What the rule read; NULL: nothing, or a rule that compares whole texts.
-- @answer The reference, where there is one alone.
-- @score 0 to 1, and 0 where nothing can be read; NULL where the answer is hidden.
-- @resolved_by rule, unresolved (the rule reads nothing), missing, or what judged_rule_result says.
WITH expected AS (
    SELECT
        r.run_id,
        q.question_id,
        q.question_key,
        s.sample,
        r.task
    FROM current_run AS r
    INNER JOIN main.question AS q ON r.dataset_id = q.dataset_id
    INNER JOIN question_rule AS u ON q.question_id = u.question_id
    INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
    WHERE
        r.method = 'generation'
        AND u.rule IN ('yes_no', 'exact', 'contains', 'number', 'anls', 'vqa')
),

answered AS (
    SELECT
        e.run_id,
        e.question_id,
        e.question_key,
        e.sample,
        e.task,
        p.text,
        p.run_id IS NULL OR is_no_answer(p.failed, p.text) AS is_missing
    FROM expected AS e
    LEFT JOIN main.prediction AS p
        ON
            e.run_id = p.run_id
            AND e.question_id = p.question_id
            AND p.pass = 0
            AND e.sample = p.sample
)

SELECT
    a.run_id,
    a.question_id,
    a.question_key,
    CAST(0 AS SMALLINT) AS pass,
    a.sample,
    j.judge,
    j.judge_sample,
    CASE WHEN NOT a.is_missing THEN s.predicted END AS predicted,
    l.reference AS answer,
    CASE
        WHEN l.question_id IS NULL THEN NULL
        WHEN a.is_missing THEN 0.0
        ELSE coalesce(s.score, 0.0)
    END AS score,
    CASE
        WHEN a.is_missing THEN 'missing'
        WHEN s.score IS NULL THEN 'unresolved'
        ELSE 'rule'
    END AS resolved_by
FROM answered AS a
INNER JOIN judge_scope AS j
    ON j.task = 'choice_extraction' AND (j.judge_id = 0 OR a.task = 'choice')
LEFT JOIN reference_list AS l ON a.question_id = l.question_id
LEFT JOIN rule_score AS s
    ON a.question_id = s.question_id AND a.text IS NOT DISTINCT FROM s.text
UNION ALL
SELECT
    run_id,
    question_id,
    question_key,
    pass,
    sample,
    judge,
    judge_sample,
    predicted,
    answer,
    score,
    resolved_by
FROM judged_rule_result
