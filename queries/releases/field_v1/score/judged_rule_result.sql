-- Verdicts of the rules that need a judge, who extracts an answer, compares it or grades it: for
-- every question of such a rule, answered or not, under each judge of its kind; what is extracted
-- under none too. In a benchmark of choices each judge of choices has rows as well, with what a
-- judge of the same model said of answers in words, or as under none. One row per run, question,
-- sample, judge and judge sample.
-- @rules extracted graded
-- @predicted The label that was read; NULL: nothing, or a question without choices.
-- @answer The reference, where there is one alone.
-- @score 0 to 1, and 0 where nothing can be read; NULL while pending.
-- @reference_score What a judge of pairs gave the reference, 0 to 1; NULL: nothing.
-- @resolved_by rule (no judge had to say), judge, graded, unresolved, pending or missing.
-- @is_part Whether the judge says nothing of the dataset's other questions, which have choices: its
--   verdicts count under the judge of choices of the same model.
WITH expected AS (
    SELECT
        r.run_id, q.question_id, q.question_key, s.sample, r.thinking,
        r.task = 'choice' AS is_among_choices, u.rule, u.normaliser,
        rule_task(u.rule, u.normaliser) AS task
    FROM current_run AS r
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN question_rule AS u USING (question_id)
    INNER JOIN main.run_sample AS s USING (run_id)
    WHERE r.method = 'generation' AND u.rule IN ('extracted', 'graded')
),

-- Who compares answers in words, by model, for a judge of choices.
comparing AS (
    SELECT g.model, a.judge_sample, min(g.judge_id) AS judge_id
    FROM judge_asked AS a
    INNER JOIN main.judge AS g USING (judge_id)
    WHERE a.task = 'equivalence' AND g.model IS NOT NULL
    GROUP BY g.model, a.judge_sample
),

scope AS (
    SELECT
        0 AS judge_id, 'none' AS judge, CAST(NULL AS VARCHAR) AS model,
        CAST(NULL AS VARCHAR) AS task, CAST(NULL AS VARCHAR) AS kind,
        CAST(NULL AS INTEGER) AS extractor_id, CAST(0 AS SMALLINT) AS judge_sample,
        CAST(0 AS SMALLINT) AS max_attempts
    UNION ALL
    SELECT
        a.judge_id, a.judge, g.model,
        -- A program that compares what another judge extracted stands for that judge too.
        CASE WHEN c.judge_id IS NULL THEN a.task ELSE 'answer_extraction' END AS task,
        g.kind, coalesce(c.extractor_id, o.judge_id) AS extractor_id, a.judge_sample, a.max_attempts
    FROM judge_asked AS a
    INNER JOIN main.judge AS g USING (judge_id)
    LEFT JOIN judge_chain AS c USING (judge_id)
    LEFT JOIN comparing AS o
        ON a.task = 'choice_extraction' AND g.model = o.model AND a.judge_sample = o.judge_sample
),

placed AS (
    SELECT
        e.run_id, e.question_id, e.question_key, e.sample, e.rule, e.normaliser,
        CASE WHEN j.task = 'choice_extraction' THEN e.task ELSE coalesce(j.task, e.task) END AS task,
        j.judge_id = 0
        OR (j.task = 'choice_extraction' AND (j.extractor_id IS NULL OR e.task <> 'equivalence')) AS is_unasked,
        e.is_among_choices AND j.judge_id <> 0 AND j.task <> 'choice_extraction' AS is_part,
        j.judge_id, j.extractor_id, j.judge, j.model, j.judge_sample, j.max_attempts, p.text,
        read_text(p.given, e.thinking) AS as_read,
        p.run_id IS NULL OR is_no_answer(p.failed, p.text) AS is_missing
    FROM expected AS e
    -- A program compares what no rule reads with the reference itself; it needs nobody to extract it.
    INNER JOIN scope AS j
        ON
            e.task = j.task
            OR (e.rule = 'extracted' AND j.judge_id = 0)
            OR (e.rule = 'extracted' AND e.is_among_choices AND j.task = 'choice_extraction')
            OR (e.rule = 'extracted' AND e.normaliser = 'math' AND j.kind = 'program')
    LEFT JOIN given_answer AS p
        ON
            e.run_id = p.run_id
            AND e.question_id = p.question_id
            AND p.pass = 0
            AND e.sample = p.sample
),

-- What a judge of the same model extracted, for a judge who compares.
extracted AS (
    SELECT
        v.run_id, v.question_id, v.sample, v.model, v.judge_sample,
        max(CASE WHEN stripped(v.reply) = stripped(l.reference) THEN 1 ELSE 0 END) AS is_reference
    FROM judged_answer AS v
    INNER JOIN reference_list AS l USING (question_id)
    WHERE v.task = 'answer_extraction' AND v.state = 'ok'
    GROUP BY v.run_id, v.question_id, v.sample, v.model, v.judge_sample
),

answered AS (
    SELECT
        p.run_id, p.question_id, p.question_key, p.sample, p.rule, p.task, p.judge_id, p.judge,
        p.model, p.judge_sample, p.is_unasked, p.is_part, p.is_missing, p.as_read, v.state,
        p.extractor_id IS NOT NULL AND p.normaliser = 'math' AS is_chained,
        c.said AS said_of_extracted,
        coalesce(is_given_up(c.state, c.n_unusable, p.max_attempts), FALSE) AS is_chain_over,
        CASE WHEN v.task = 'answer_extraction' THEN v.reply END AS extracted_text,
        CASE WHEN v.state = 'ok' OR v.task = 'pair' THEN coalesce(v.said, unread_part(v.reply)) END AS said,
        CASE WHEN v.task = 'pair' THEN coalesce(v.reference_said, unread_part(v.reply)) END AS reference_said,
        coalesce(is_given_up(v.state, v.n_unusable, coalesce(v.max_attempts, p.max_attempts)), FALSE) AS is_over,
        is_never_read(p.text) AS is_unread, is_blank_answer(p.text) AS is_blank
    FROM placed AS p
    LEFT JOIN judged_answer AS v
        ON
            p.run_id = v.run_id
            AND p.question_id = v.question_id
            AND p.sample = v.sample
            AND coalesce(p.extractor_id, p.judge_id) = v.judge_id
            AND p.judge_sample = v.judge_sample
    LEFT JOIN chained_reply AS c
        ON
            p.judge_id = c.judge_id
            AND p.judge_sample = c.judge_sample
            AND p.question_id = c.question_id
            AND v.reply = c.text
),

-- The answer and what was extracted from it are looked up at once: each use of a view is planned.
read AS (
    SELECT
        a.run_id, a.question_id, a.question_key, a.sample, a.rule, a.task, a.judge_id, a.judge,
        a.model, a.judge_sample, a.is_unasked, a.is_part, a.is_missing, a.state, a.said,
        a.reference_said, a.is_over, a.is_unread, a.is_blank, a.is_chained, a.said_of_extracted,
        a.is_chain_over,
        max(CASE WHEN a.as_read IS NOT DISTINCT FROM x.text THEN x.predicted END) AS predicted_at_once,
        max(CASE WHEN a.as_read IS NOT DISTINCT FROM x.text THEN x.score_at_once END) AS score_at_once,
        max(CASE WHEN a.extracted_text = x.text THEN x.predicted END) AS predicted_after,
        max(CASE WHEN a.extracted_text = x.text THEN x.score END) AS score_after
    FROM answered AS a
    LEFT JOIN extraction AS x
        ON
            a.question_id = x.question_id
            AND (a.as_read IS NOT DISTINCT FROM x.text OR a.extracted_text = x.text)
    GROUP BY
        a.run_id, a.question_id, a.question_key, a.sample, a.rule, a.task, a.judge_id, a.judge,
        a.model, a.judge_sample, a.is_unasked, a.is_part, a.is_missing, a.state, a.said,
        a.reference_said, a.is_over, a.is_unread, a.is_blank, a.is_chained, a.said_of_extracted,
        a.is_chain_over
),

known AS (
    SELECT r.*, coalesce(e.is_reference, 0) AS is_reference
    FROM read AS r
    LEFT JOIN extracted AS e USING (run_id, question_id, sample, model, judge_sample)
),

settled AS (
    SELECT
        *,
        CASE
            WHEN is_missing THEN 'missing'
            WHEN is_unread THEN 'unresolved'
            WHEN rule = 'extracted' AND score_at_once IS NOT NULL THEN 'rule'
            WHEN task = 'equivalence' AND said IS NULL AND is_reference = 1 THEN 'rule'
            WHEN is_unasked THEN 'unresolved'
            WHEN task = 'answer_extraction' AND state = 'ok'
                THEN CASE
                    WHEN score_after IS NOT NULL OR said_of_extracted IS NOT NULL THEN 'judge'
                    WHEN is_chained AND NOT is_chain_over THEN 'pending'
                    ELSE 'unresolved'
                END
            WHEN said IS NOT NULL THEN CASE rule WHEN 'graded' THEN 'graded' ELSE 'judge' END
            WHEN is_over OR is_blank THEN 'unresolved'
            ELSE 'pending'
        END AS resolved_by
    FROM known
)

SELECT
    s.run_id, s.question_id, s.question_key, CAST(0 AS SMALLINT) AS pass, s.sample, s.judge,
    s.judge_sample,
    CASE s.resolved_by WHEN 'rule' THEN s.predicted_at_once WHEN 'judge' THEN s.predicted_after END AS predicted,
    l.reference AS answer,
    CASE
        WHEN l.question_id IS NULL THEN NULL
        WHEN s.resolved_by = 'rule' THEN coalesce(s.score_at_once, 1.0)
        WHEN s.resolved_by = 'judge' THEN coalesce(s.score_after, s.said_of_extracted, s.said)
        WHEN s.resolved_by = 'graded' THEN s.said
        WHEN s.resolved_by = 'pending' THEN NULL
        ELSE 0.0
    END AS score,
    s.resolved_by,
    CASE WHEN s.resolved_by = 'graded' THEN s.reference_said END AS reference_score,
    s.is_part
FROM settled AS s
LEFT JOIN reference_list AS l USING (question_id)
