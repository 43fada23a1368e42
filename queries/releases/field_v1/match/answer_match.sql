-- Verdicts of the rules for answers in words, for every question of such a rule, answered or not;
-- and where a rule reads nothing, those that a harness's files state of its judge without the reply
-- (see stated_verdict): a word is read by the rule, right or wrong counts as it is. One row per
-- run, question, sample, judge and judge sample: in a benchmark of choices under every judge, else
-- under none and the judges that such a verdict of the dataset is of; where a rule needs judges
-- (judged_rule_result) under them.
-- @stored_in pass_result task = 'rule'
-- @hook Gets predictions and benchmark_rule; must keep one row per run, question of such a rule and
--   sample, answered or not, under each judge.
-- @predicted What the rule read; NULL: nothing, or a rule that compares whole texts.
-- @answer The reference, where there is one alone.
-- @score 0 to 1, and 0 where nothing can be read; NULL while pending, or where the answer is
--   hidden.
-- @resolved_by rule, judge, random (the harness drew a letter; 0, unless the release counts it),
--   unresolved (the rule reads nothing, and the judge's word says nothing), pending (no verdict of
--   a judge that gave some of the dataset), missing, or what judged_rule_result says.
WITH expected AS (
    SELECT
        r.run_id, q.question_id, q.question_key, s.sample, r.task, r.dataset_id, r.thinking, u.rule
    FROM current_run AS r
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN question_rule AS u USING (question_id)
    INNER JOIN main.run_sample AS s USING (run_id)
    WHERE
        r.method = 'generation'
        AND u.rule IN ('yes_no', 'exact', 'contains', 'number', 'anls', 'vqa')
),

answered AS (
    SELECT
        e.* EXCLUDE (thinking), p.text, read_text(p.given, e.thinking) AS as_read,
        p.run_id IS NULL OR is_no_answer(p.failed, p.text) AS is_missing
    FROM expected AS e
    LEFT JOIN given_answer AS p
        ON
            e.run_id = p.run_id
            AND e.question_id = p.question_id
            AND p.pass = 0
            AND e.sample = p.sample
),

-- The judges that the files of some run of the dataset have verdicts of.
stating AS (
    SELECT DISTINCT q.dataset_id, v.judge_id
    FROM stated_verdict AS v
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN question_rule AS u USING (question_id)
    WHERE u.rule <> 'choice'
),

judged AS (
    SELECT
        a.*, j.judge_id, j.judge, j.judge_sample, l.question_id IS NULL AS is_hidden, l.reference,
        s.score AS rule_score, s.predicted AS rule_predicted,
        t.judge_id IS NOT NULL AND nullif(stripped(judged_text(a.text)), '') IS NOT NULL AS may_be_judged,
        v.stated, v.word, stated_score(v.stated, v.score) AS stated_score,
        CASE WHEN a.rule = 'yes_no' AND v.stated = 'word' THEN yes_no_read(v.word) END AS word_predicted
    FROM answered AS a
    INNER JOIN judge_scope AS j ON j.task = 'choice_extraction'
    LEFT JOIN stating AS t USING (dataset_id, judge_id)
    LEFT JOIN reference_list AS l USING (question_id)
    LEFT JOIN rule_score AS s
        ON a.question_id = s.question_id AND a.as_read IS NOT DISTINCT FROM s.text
    LEFT JOIN stated_verdict AS v
        ON
            a.run_id = v.run_id
            AND a.question_id = v.question_id
            AND v.pass = 0
            AND a.sample = v.sample
            AND j.judge_id = v.judge_id
            AND j.judge_sample = v.judge_sample
    WHERE j.judge_id = 0 OR a.task = 'choice' OR t.judge_id IS NOT NULL
),

resolved AS (
    SELECT
        *,
        CASE
            WHEN is_missing THEN 'missing'
            WHEN rule_score IS NOT NULL THEN 'rule'
            WHEN NOT may_be_judged THEN 'unresolved'
            WHEN stated IS NULL AND is_hidden THEN 'unresolved'
            WHEN stated IS NULL THEN 'pending'
            WHEN stated = 'drawn' THEN 'random'
            WHEN stated = 'word' AND word_predicted IS NULL THEN 'unresolved'
            ELSE 'judge'
        END AS resolved_by
    FROM judged
)

SELECT
    run_id, question_id, question_key, CAST(0 AS SMALLINT) AS pass, sample, judge, judge_sample,
    CASE resolved_by WHEN 'rule' THEN rule_predicted WHEN 'judge' THEN word_predicted END AS predicted,
    reference AS answer,
    CASE
        WHEN is_hidden OR resolved_by = 'pending' THEN NULL
        WHEN resolved_by = 'rule' THEN rule_score
        WHEN resolved_by = 'judge' AND word_predicted IS NOT NULL
            THEN CASE WHEN python_lower(word_predicted) = python_lower(stripped(reference)) THEN 1.0 ELSE 0.0 END
        WHEN resolved_by IN ('judge', 'random') THEN coalesce(stated_score, 0.0)
        ELSE 0.0
    END AS score,
    resolved_by
FROM resolved
UNION ALL
SELECT
    run_id, question_id, question_key, pass, sample, judge, judge_sample, predicted, answer, score,
    resolved_by
FROM judged_rule_result
WHERE NOT is_part
