-- What harnesses say of single answers, and our verdicts of the same answers: where what the
-- harness read is a judgment here (`inspect:SCORER`) those of that judge; where its scorer is one
-- whose rule is known (see scorer_score) those of that rule; else under none, or else those of
-- another judge. One row per run, question, pass, sample, metric and filter that the harness has a
-- score or a reading of.
-- @question The dataset's own id of the question, as text.
-- @metric What the harness calls the metric or scorer.
-- @filter What it calls the filter that the answer went through; NULL: none.
-- @published The number that the harness gave the answer; NULL: it wrote none.
-- @read_there What the harness read in the answer; NULL: it does not say.
-- @ours Our score of the same answer, 0 to 1; NULL: none, and reason says why.
-- @read_here What we read in the answer; NULL: nothing, or a rule that compares whole texts.
-- @is_same Whether both give the same, to six digits; without a number, whether both read the same.
-- @reason Why not, in words; NULL: they are the same.
-- @reason_kind The reason in one word, from a closed list; NULL: they are the same.
-- @value As the harness wrote it.
-- @resolved_by How our verdict came about (see pass_result).
-- @measure What of ours the metric measures: score, per_character or per_byte; NULL: nothing.
-- @by_rules Our score by rules alone, where ours is under the harness's own judge or its scorer's
--   rule; else NULL.
-- @scorer_rule The scorer whose rule ours is by; NULL: none.
-- @is_unread Whether no rule of ours reads the answer, and no judge but the harness's own, and the
--   harness found it right or read one of the choices in it.
WITH said AS (
    SELECT
        h.run_id, h.question_id, h.pass, h.sample, h.metric, h.filter, h.value, h.score, h.answer,
        coalesce(h.filter LIKE 'mean of % epochs', FALSE) AS is_of_epochs, r.model, r.run,
        r.dataset, r.benchmark, r.harness, c.run_id IS NOT NULL AS is_of_scorer,
        c.score AS scorer_score,
        as_number(split_part(translate(g.value, '[]"', ''), ', ', 1)) AS likelihood,
        -- Letters are of one length, so that length changes no pick among them.
        CASE
            WHEN c.score IS NOT NULL THEN 'score'
            WHEN r.scored = 'letter' AND harness_measure(h.metric) IN ('per_character', 'per_byte') THEN 'score'
            WHEN harness_measure(h.metric) = 'log_likelihood' AND g.run_id IS NULL THEN NULL
            ELSE harness_measure(h.metric)
        END AS measure
    FROM main.harness_score AS h
    INNER JOIN current_run AS r USING (run_id)
    LEFT JOIN scorer_score AS c
        ON
            h.run_id = c.run_id
            AND h.question_id = c.question_id
            AND h.pass = c.pass
            AND h.sample = c.sample
            AND h.metric = c.metric
            AND h.filter IS NULL
    LEFT JOIN main.answer_attribute AS g
        ON
            h.run_id = g.run_id
            AND h.question_id = g.question_id
            AND h.pass = g.pass
            AND h.sample = g.sample
            AND g.name = 'loglik'
            AND harness_measure(h.metric) = 'log_likelihood'
    -- What is neither is no verdict, such as what an answer cost.
    WHERE h.score IS NOT NULL OR h.answer IS NOT NULL
),

letter AS (
    SELECT run_id, judge, subject_hash, avg(grade_score) AS score
    FROM letter_grade
    WHERE grade IS NOT NULL
    GROUP BY run_id, judge, subject_hash
),

-- The judges that harnesses' scorers are here: as the figure says, else by the scorer's name.
own_judge AS (
    SELECT r.run_id, b.filter AS metric, b.judge
    FROM harness_bound AS b
    INNER JOIN current_run AS r USING (run_id)
    WHERE r.harness = 'inspect' AND b.fit IS NOT NULL AND b.filter IS NOT NULL AND b.judge IS NOT NULL
    UNION
    SELECT s.run_id, s.metric, j.name AS judge
    FROM said AS s
    INNER JOIN main.judge AS j ON 'inspect:' || s.metric = j.name
    WHERE s.harness = 'inspect' AND s.filter IS NULL AND j.retracted_at IS NULL
),

verdict_of_any AS (
    SELECT
        p.run_id, p.question_id, p.pass, p.sample, p.judge, p.judge_sample, p.predicted, p.answer,
        p.score, p.resolved_by, FALSE AS is_blank
    FROM pass_result AS p
    WHERE p.component = 'answer' AND p.run_id IN (SELECT run_id FROM main.harness_score)
    UNION ALL
    SELECT
        a.run_id, a.question_id, CAST(0 AS SMALLINT) AS pass, a.sample, l.judge,
        CAST(0 AS SMALLINT) AS judge_sample, NULL AS predicted, NULL AS answer, l.score,
        'graded' AS resolved_by, FALSE AS is_blank
    FROM open_answer AS a
    INNER JOIN open_subject AS s ON a.question_id = s.question_id AND a.prediction = s.text
    INNER JOIN letter AS l USING (run_id, subject_hash)
    WHERE a.run_id IN (SELECT run_id FROM main.harness_score)
    UNION ALL
    -- A blank answer counts 0 where others are graded by letters, whatever a grader said of it.
    SELECT
        a.run_id, a.question_id, CAST(0 AS SMALLINT) AS pass, a.sample, l.judge,
        CAST(0 AS SMALLINT) AS judge_sample, NULL AS predicted, NULL AS answer,
        CAST(0 AS DOUBLE) AS score, 'unresolved' AS resolved_by, TRUE AS is_blank
    FROM open_answer AS a
    INNER JOIN (SELECT DISTINCT run_id, judge FROM letter) AS l USING (run_id)
    WHERE a.state = 'blank' AND a.run_id IN (SELECT run_id FROM main.harness_score)
),

-- Ours: by rules where there are any, else of the first judge who said something.
verdicts AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample
            ORDER BY
                CASE WHEN judge = 'none' THEN 0 WHEN resolved_by = 'pending' THEN 2 ELSE 1 END,
                judge, judge_sample
        ) AS place
    FROM verdict_of_any
),

-- Under the judge that the harness's scorer is here.
own_verdicts AS (
    SELECT
        v.*, o.metric,
        row_number() OVER (
            PARTITION BY v.run_id, o.metric, v.question_id, v.pass, v.sample
            ORDER BY v.judge, v.judge_sample
        ) AS place
    FROM own_judge AS o
    INNER JOIN verdict_of_any AS v USING (run_id, judge)
    WHERE v.resolved_by <> 'pending'
),

found AS (
    SELECT
        s.*, q.question_key, o.run_id IS NULL AND s.scorer_score IS NOT NULL AS is_by_scorer,
        CASE WHEN o.run_id IS NULL AND s.scorer_score IS NOT NULL THEN 'none' ELSE coalesce(o.judge, v.judge) END
            AS judge,
        coalesce(o.answer, v.answer) AS right_answer,
        CASE
            WHEN o.run_id IS NULL AND s.scorer_score IS NOT NULL THEN 'rule'
            ELSE coalesce(o.resolved_by, v.resolved_by)
        END AS resolved_by,
        v.run_id IS NOT NULL OR s.scorer_score IS NOT NULL AS has_verdict,
        coalesce(o.is_blank, v.is_blank, FALSE) AS is_blank,
        CASE
            WHEN (o.run_id IS NOT NULL OR s.scorer_score IS NOT NULL) AND v.judge = 'none' THEN v.score
        END AS by_rules,
        CASE WHEN v.judge = 'none' OR o.run_id IS NULL THEN v.resolved_by END AS first_resolved_by,
        l.run_id IS NOT NULL OR u.run_id IS NOT NULL OR s.likelihood IS NOT NULL AS has_pick,
        CASE s.measure
            -- Several right choices: their mass, or whether the pick is one of them.
            WHEN 'score'
                THEN coalesce(
                    o.score, s.scorer_score, v.score,
                    CASE WHEN s.score IN (0.0, 1.0) THEN w.score ELSE w.mass END
                )
            WHEN 'per_character' THEN l.score_per_character
            WHEN 'per_byte' THEN l.score_per_byte
            WHEN 'mutual_information' THEN u.score
            WHEN 'log_likelihood' THEN s.likelihood
        END AS ours_alone,
        CASE s.measure
            WHEN 'score'
                THEN CASE
                    WHEN o.run_id IS NULL AND s.scorer_score IS NOT NULL THEN NULL
                    WHEN o.run_id IS NULL THEN coalesce(v.predicted, w.picked)
                    ELSE o.predicted
                END
            WHEN 'per_character' THEN l.picked_per_character
            WHEN 'per_byte' THEN l.picked_per_byte
            WHEN 'mutual_information' THEN u.picked
        END AS read_here,
        coalesce(array_length(list_filter(c.labels, lambda x_: x_ = s.answer)), 0) > 0 AS is_choice,
        substr(s.answer, 1, 40) || CASE WHEN length(s.answer) > 40 THEN '…' ELSE '' END AS shown
    FROM said AS s
    INNER JOIN main.question AS q USING (question_id)
    LEFT JOIN choice_set AS c USING (question_id, pass)
    LEFT JOIN verdicts AS v
        ON
            s.run_id = v.run_id
            AND s.question_id = v.question_id
            AND s.pass = v.pass
            AND s.sample = v.sample
            AND v.place = 1
    LEFT JOIN own_verdicts AS o
        ON
            s.run_id = o.run_id
            AND s.metric = o.metric
            AND s.filter IS NULL
            AND s.question_id = o.question_id
            AND s.pass = o.pass
            AND s.sample = o.sample
            AND o.place = 1
    LEFT JOIN right_mass AS w
        ON
            s.run_id = w.run_id
            AND s.question_id = w.question_id
            AND s.pass = w.pass
            AND s.sample = w.sample
    LEFT JOIN length_ranking AS l
        ON
            s.run_id = l.run_id
            AND s.question_id = l.question_id
            AND s.pass = l.pass
            AND s.sample = l.sample
            AND s.measure IN ('per_character', 'per_byte')
    LEFT JOIN unconditional_ranking AS u
        ON
            s.run_id = u.run_id
            AND s.question_id = u.question_id
            AND s.pass = u.pass
            AND s.sample = u.sample
            AND s.measure = 'mutual_information'
),

-- Where the harness has the mean of a question's epochs for each of them, so is ours.
of_epochs AS (
    SELECT
        *,
        CASE
            WHEN is_of_epochs
                THEN avg(ours_alone) OVER (PARTITION BY run_id, question_id, pass, metric, filter)
            ELSE ours_alone
        END AS ours
    FROM found
),

compared AS (
    SELECT
        *,
        CASE
            WHEN score IS NOT NULL THEN coalesce(abs(ours - score) <= 0.000001, FALSE)
            WHEN ours IS NULL OR read_here IS NULL THEN FALSE
            ELSE coalesce(answer = read_here, FALSE)
        END AS is_same,
        coalesce(measure = 'score' AND resolved_by = 'unresolved', FALSE) AS is_unresolved,
        coalesce(measure = 'score' AND first_resolved_by = 'unresolved' AND NOT is_blank, FALSE) AS is_first_unresolved
    FROM of_epochs
),

-- The words of reason_kind; reason says the same in a sentence.
explained AS (
    SELECT
        *,
        CASE
            WHEN is_same THEN NULL
            WHEN is_of_scorer AND NOT is_by_scorer AND coalesce(judge, 'none') = 'none' THEN 'scorer_settings'
            WHEN
                harness = 'inspect'
                AND metric IN ('pattern', 'answer')
                AND NOT is_by_scorer
                AND (NOT has_verdict OR resolved_by IN ('rule', 'unresolved'))
                THEN 'scorer_pattern'
            WHEN measure IS NULL THEN 'no_figure'
            WHEN measure <> 'score' AND NOT has_pick THEN 'no_likelihoods'
            WHEN NOT has_verdict THEN 'no_rule'
            WHEN resolved_by = 'pending' THEN 'pending'
            WHEN resolved_by = 'missing' THEN 'no_answer'
            WHEN ours IS NULL THEN 'no_reference'
            WHEN score IS NULL AND answer IS NULL THEN 'no_number'
            WHEN is_of_epochs AND resolved_by <> 'unresolved' THEN 'mean_of_epochs'
            WHEN is_blank THEN 'blank'
            WHEN is_unresolved THEN 'unread'
            WHEN score IS NULL AND read_here IS NULL THEN 'no_number'
            WHEN score < 0.0 OR score > 1.0 THEN 'no_share'
            WHEN resolved_by = 'random' THEN 'drawn'
            WHEN answer <> read_here THEN 'read_otherwise'
            ELSE 'rules_differ'
        END AS reason_kind
    FROM compared
)

SELECT
    run, dataset, question_key AS question, pass, sample, metric, filter, score AS published,
    answer AS read_there, ours, read_here, is_same,
    CASE reason_kind
        WHEN 'scorer_settings' THEN 'the scorer has settings that its rule here does not follow'
        WHEN 'scorer_pattern' THEN 'the scorer looks for an expression of the task''s own, which is not applied here'
        WHEN 'no_figure' THEN 'no score of ours for this metric'
        WHEN 'no_likelihoods' THEN 'the log-likelihoods that it is made of are not known'
        WHEN 'no_rule' THEN 'the benchmark has no rule for such an answer, and no judge graded it'
        WHEN 'pending' THEN 'our verdict waits for a judge'
        WHEN 'no_answer' THEN 'the run has no answer'
        WHEN 'no_reference' THEN 'the right answer is not known here'
        WHEN 'no_number'
            THEN
                'the harness wrote '
                || CASE WHEN answer IS NULL THEN 'no number' ELSE 'what it read, and no number' END
        WHEN 'unread'
            THEN coalesce('the harness read ' || shown || ', ', '') || 'no rule of ours reads the answer'
        WHEN 'mean_of_epochs'
            THEN 'the harness gives each epoch the ' || filter || ' of the question, and ours of them is another'
        WHEN 'blank' THEN 'the answer is blank, which counts 0 here'
        WHEN 'no_share' THEN 'the harness''s number is no share of 1'
        WHEN 'drawn' THEN 'our verdict was drawn'
        WHEN 'read_otherwise'
            THEN 'the harness read ' || coalesce(nullif(shown, ''), 'nothing') || ', ours is ' || read_here
        WHEN 'rules_differ'
            THEN
                CASE
                    WHEN answer = read_here
                        THEN
                            'both read '
                            || shown
                            || coalesce(', and the right answer here is ' || right_answer, '')
                    WHEN answer IS NOT NULL THEN 'the harness read ' || shown || '; the rules differ'
                    ELSE 'the rules differ'
                END
    END AS reason,
    reason_kind, model, benchmark, value, resolved_by, judge, measure, by_rules,
    CASE WHEN is_by_scorer THEN metric END AS scorer_rule,
    is_first_unresolved AND (coalesce(score > 0.0, FALSE) OR is_choice) AS is_unread, run_id,
    question_id
FROM explained
