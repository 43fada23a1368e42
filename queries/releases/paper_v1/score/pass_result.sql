-- From an answer to a verdict: what every score rests on. One row per run, question, pass, sample,
-- component, judge and judge sample; every pass of the dataset has its row, answered or not. Open
-- questions have rows under the judges that give soft scores.
-- @table per run
-- @key question_id pass sample component judge judge_sample
-- @hook Gets answered_pass, judged_pass, open_result and answer_match; must keep one row per
--   expected pass, component, judge and judge sample, answered or not.
-- @predicted The label that the answer was taken for, X for none of the choices; NULL: nothing.
-- @answer The right label; NULL: hidden, or an open question.
-- @score 1 if it is the answer, else 0; for open questions the soft score; NULL while pending, or
--   where the answer is hidden.
-- @resolved_by rule, judge, random, unresolved, pending, missing, ranked or graded.
-- @task choice or open, as the benchmark is; rule: an answer in words that a rule scores.
WITH settled AS (
    -- Apart from answers in parts, of which there are few: a text as one more key makes the join
    -- slow.
    SELECT e.*, 'answer' AS component, a.label AS predicted, coalesce(a.state, 'failed') AS state
    FROM expected_pass AS e
    LEFT JOIN answered_pass AS a
        ON
            e.run_id = a.run_id
            AND e.question_id = a.question_id
            AND e.pass = a.pass
            AND e.sample = a.sample
            AND a.component = 'answer'
    WHERE e.question_id NOT IN (SELECT question_id FROM main.question_component)
    UNION ALL
    SELECT e.*, c.component, a.label AS predicted, coalesce(a.state, 'failed') AS state
    FROM expected_pass AS e
    INNER JOIN main.question_component AS c USING (question_id)
    LEFT JOIN answered_pass AS a
        ON
            e.run_id = a.run_id
            AND e.question_id = a.question_id
            AND e.pass = a.pass
            AND e.sample = a.sample
            AND c.component = a.component
            AND a.component <> 'answer'
),

known AS (
    SELECT
        s.run_id, s.question_id, s.question_key, s.pass, s.sample, s.component, j.judge,
        j.judge_sample, s.predicted, s.answer,
        CASE
            WHEN s.answer IS NULL THEN NULL
            WHEN s.predicted = s.answer THEN 1.0
            ELSE 0.0
        END AS score,
        CASE s.state
            WHEN 'matched' THEN 'rule'
            WHEN 'ranked' THEN 'ranked'
            WHEN 'failed' THEN 'missing'
            ELSE 'unresolved'
        END AS resolved_by,
        'choice' AS task
    FROM settled AS s
    INNER JOIN judge_scope AS j
        ON j.task = 'choice_extraction' AND (s.state <> 'open' OR j.judge_id = 0)
    UNION ALL
    SELECT
        run_id, question_id, question_key, pass, sample, component, judge, judge_sample, predicted,
        answer, score, resolved_by, 'choice' AS task
    FROM judged_pass
    UNION ALL
    SELECT
        o.run_id, o.question_id, q.question_key, o.pass, o.sample, 'answer' AS component, o.judge,
        o.judge_sample, NULL AS predicted, NULL AS answer, o.score, o.resolved_by, 'open' AS task
    FROM open_result AS o
    INNER JOIN main.question AS q USING (question_id)
    UNION ALL
    SELECT
        run_id, question_id, question_key, pass, sample, 'answer' AS component, judge, judge_sample,
        predicted, answer, score, resolved_by, 'rule' AS task
    FROM answer_match
)

SELECT
    k.run_id, r.model, r.run, r.dataset, k.question_id, k.question_key, k.pass, k.sample,
    k.component, k.judge, k.judge_sample, k.predicted, k.answer, CAST(k.score AS DOUBLE) AS score,
    k.resolved_by, k.task
FROM known AS k
INNER JOIN current_run AS r USING (run_id)
