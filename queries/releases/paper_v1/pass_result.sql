-- From an answer to a verdict. One row per run, question, pass, sample, component, judge and judge sample; every pass of the dataset has its row, answered or not. Open questions have rows under the judges that give soft scores.
-- @predicted The label that the answer was taken for, X for none of the choices; NULL: nothing.
-- @answer The right label; NULL: hidden, or an open question.
-- @score 1 if it is the answer, else 0; for open questions the soft score; NULL while pending, or where the answer is hidden.
-- @resolved_by rule, judge, random, unresolved, pending, missing, ranked or graded.
WITH settled AS (
    SELECT
        a.run_id,
        a.question_id,
        a.pass,
        a.sample,
        a.component,
        d.answer,
        a.label AS predicted,
        CASE a.state
            WHEN 'matched' THEN 'rule'
            WHEN 'ranked' THEN 'ranked'
            WHEN 'failed' THEN 'missing'
            ELSE 'unresolved'
        END AS resolved_by,
        a.state
    FROM answered_pass AS a
    INNER JOIN dataset_pass AS d ON a.question_id = d.question_id AND a.pass = d.pass
),

absent AS (
    SELECT
        r.run_id,
        d.question_id,
        d.pass,
        s.sample,
        c.component,
        d.answer
    FROM current_run AS r
    INNER JOIN dataset_pass AS d ON r.dataset_id = d.dataset_id
    INNER JOIN question_component AS c ON d.question_id = c.question_id
    INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
    LEFT JOIN answered_pass AS a
        ON
            r.run_id = a.run_id
            AND d.question_id = a.question_id
            AND d.pass = a.pass
            AND s.sample = a.sample
            AND c.component = a.component
    WHERE r.task = 'choice' AND a.run_id IS NULL
),

known AS (
    SELECT
        s.run_id,
        s.question_id,
        s.pass,
        s.sample,
        s.component,
        j.judge,
        j.judge_sample,
        s.predicted,
        s.answer,
        CASE
            WHEN s.answer IS NULL THEN NULL
            WHEN s.predicted = s.answer THEN 1.0
            ELSE 0.0
        END AS score,
        s.resolved_by
    FROM settled AS s
    INNER JOIN judge_scope AS j
        ON j.task = 'choice_extraction' AND (s.state <> 'open' OR j.judge_id = 0)
    UNION ALL
    SELECT
        run_id,
        question_id,
        pass,
        sample,
        component,
        judge,
        judge_sample,
        predicted,
        answer,
        score,
        resolved_by
    FROM judged_pass
    UNION ALL
    SELECT
        a.run_id,
        a.question_id,
        a.pass,
        a.sample,
        a.component,
        j.judge,
        j.judge_sample,
        NULL AS predicted,
        a.answer,
        CASE WHEN a.answer IS NOT NULL THEN 0.0 END AS score,
        'missing' AS resolved_by
    FROM absent AS a
    INNER JOIN judge_scope AS j ON j.task = 'choice_extraction'
    UNION ALL
    SELECT
        run_id,
        question_id,
        pass,
        sample,
        'answer' AS component,
        judge,
        judge_sample,
        NULL AS predicted,
        NULL AS answer,
        score,
        resolved_by
    FROM open_result
)

SELECT
    k.run_id,
    r.model,
    r.run,
    r.dataset,
    k.question_id,
    q.question_key,
    k.pass,
    k.sample,
    k.component,
    k.judge,
    k.judge_sample,
    k.predicted,
    k.answer,
    CAST(k.score AS DOUBLE) AS score,
    k.resolved_by
FROM known AS k
INNER JOIN current_run AS r ON k.run_id = r.run_id
INNER JOIN main.question AS q ON k.question_id = q.question_id
