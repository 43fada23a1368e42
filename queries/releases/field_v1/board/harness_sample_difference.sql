-- What harnesses say of single answers, and our verdicts of the same answers: under none, or else
-- those of a judge. One row per run, question, pass, sample, metric and filter that the harness has
-- a score or a reading of.
-- @question The dataset's own id of the question, as text.
-- @metric What the harness calls the metric or scorer.
-- @filter What it calls the filter that the answer went through; NULL: none.
-- @published The number that the harness gave the answer; NULL: it wrote none.
-- @read_there What the harness read in the answer; NULL: it does not say.
-- @ours Our score of the same answer, 0 to 1; NULL: none, and reason says why.
-- @read_here What we read in the answer; NULL: nothing, or a rule that compares whole texts.
-- @is_same Whether both give the same, to six digits; without a number, whether both read the same.
-- @reason Why not, in words; NULL: they are the same.
-- @value As the harness wrote it.
-- @resolved_by How our verdict came about (see pass_result).
-- @measure What of ours the metric measures: score, per_character or per_byte; NULL: nothing.
-- @is_unread Whether no rule or judge of ours reads the answer, and the harness found it right or read
--   one of the choices in it.
WITH said AS (
    SELECT
        h.run_id,
        h.question_id,
        h.pass,
        h.sample,
        h.metric,
        h.filter,
        h.value,
        h.score,
        h.answer,
        r.model,
        r.run,
        r.dataset,
        r.benchmark,
        -- Letters are of one length, so that length changes no pick among them.
        CASE
            WHEN r.scored = 'letter' AND harness_measure(h.metric) IS NOT NULL THEN 'score'
            ELSE harness_measure(h.metric)
        END AS measure
    FROM main.harness_score AS h
    INNER JOIN current_run AS r ON h.run_id = r.run_id
    -- What is neither is no verdict, such as what an answer cost.
    WHERE h.score IS NOT NULL OR h.answer IS NOT NULL
),

letter AS (
    SELECT
        run_id,
        judge,
        subject_hash,
        avg(grade_score) AS score
    FROM letter_grade
    WHERE grade IS NOT NULL
    GROUP BY run_id, judge, subject_hash
),

verdict_of_any AS (
    SELECT
        p.run_id,
        p.question_id,
        p.pass,
        p.sample,
        p.judge,
        p.judge_sample,
        p.predicted,
        p.answer,
        p.score,
        p.resolved_by
    FROM pass_result AS p
    WHERE p.component = 'answer' AND p.run_id IN (SELECT run_id FROM main.harness_score)
    UNION ALL
    SELECT
        a.run_id,
        a.question_id,
        CAST(0 AS SMALLINT) AS pass,
        a.sample,
        l.judge,
        CAST(0 AS SMALLINT) AS judge_sample,
        NULL AS predicted,
        NULL AS answer,
        l.score,
        'graded' AS resolved_by
    FROM open_answer AS a
    INNER JOIN open_subject AS s ON a.question_id = s.question_id AND a.prediction = s.text
    INNER JOIN letter AS l ON a.run_id = l.run_id AND s.subject_hash = l.subject_hash
    WHERE a.run_id IN (SELECT run_id FROM main.harness_score)
),

-- Ours: by rules where there are any, else of the first judge who said something.
verdicts AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, question_id, pass, sample
            ORDER BY
                CASE WHEN judge = 'none' THEN 0 WHEN resolved_by = 'pending' THEN 2 ELSE 1 END,
                judge,
                judge_sample
        ) AS place
    FROM verdict_of_any
),

found AS (
    SELECT
        s.*,
        q.question_key,
        v.judge,
        v.answer AS right_answer,
        v.resolved_by,
        v.run_id IS NOT NULL AS has_verdict,
        l.run_id IS NOT NULL AS has_pick,
        CASE s.measure
            -- Several right choices: their mass, or whether the pick is one of them.
            WHEN 'score' THEN coalesce(v.score, CASE WHEN s.score IN (0.0, 1.0) THEN w.score ELSE w.mass END)
            WHEN 'per_character' THEN l.score_per_character
            WHEN 'per_byte' THEN l.score_per_byte
        END AS ours,
        CASE s.measure
            WHEN 'score' THEN coalesce(v.predicted, w.picked)
            WHEN 'per_character' THEN l.picked_per_character
            WHEN 'per_byte' THEN l.picked_per_byte
        END AS read_here,
        coalesce(array_length(list_filter(c.labels, lambda x_: x_ = s.answer)), 0) > 0 AS is_choice,
        substr(s.answer, 1, 40) || CASE WHEN length(s.answer) > 40 THEN '…' ELSE '' END AS shown
    FROM said AS s
    INNER JOIN main.question AS q ON s.question_id = q.question_id
    LEFT JOIN choice_set AS c ON s.question_id = c.question_id AND s.pass = c.pass
    LEFT JOIN verdicts AS v
        ON
            s.run_id = v.run_id
            AND s.question_id = v.question_id
            AND s.pass = v.pass
            AND s.sample = v.sample
            AND v.place = 1
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
),

compared AS (
    SELECT
        *,
        CASE
            WHEN score IS NOT NULL THEN coalesce(abs(ours - score) <= 0.000001, FALSE)
            WHEN ours IS NULL OR read_here IS NULL THEN FALSE
            ELSE coalesce(answer = read_here, FALSE)
        END AS is_same,
        coalesce(measure = 'score' AND resolved_by = 'unresolved', FALSE) AS is_unresolved
    FROM found
)

SELECT
    run,
    dataset,
    question_key AS question,
    pass,
    sample,
    metric,
    filter,
    score AS published,
    answer AS read_there,
    ours,
    read_here,
    is_same,
    CASE
        WHEN is_same THEN NULL
        WHEN measure IS NULL THEN 'no score of ours for this metric'
        WHEN measure <> 'score' AND NOT has_pick
            THEN 'the log-likelihoods of the choices'' texts are not known'
        WHEN NOT has_verdict THEN 'the benchmark has no rule for such an answer, and no judge graded it'
        WHEN resolved_by = 'pending' THEN 'our verdict waits for a judge'
        WHEN resolved_by = 'missing' THEN 'the run has no answer'
        WHEN ours IS NULL THEN 'the right answer is not known here'
        WHEN score IS NULL AND answer IS NULL THEN 'the harness wrote no number'
        WHEN is_unresolved AND answer IS NOT NULL
            THEN 'the harness read ' || shown || ', no rule of ours reads the answer'
        WHEN is_unresolved THEN 'no rule of ours reads the answer'
        WHEN score IS NULL AND read_here IS NULL THEN 'the harness wrote what it read, and no number'
        WHEN score < 0.0 OR score > 1.0 THEN 'the harness''s number is no share of 1'
        WHEN resolved_by = 'random' THEN 'our verdict was drawn'
        WHEN answer <> read_here THEN 'the harness read ' || shown || ', ours is ' || read_here
        WHEN answer = read_here
            THEN
                'both read '
                || shown
                || coalesce(', and the right answer here is ' || right_answer, '')
        WHEN answer IS NOT NULL THEN 'the harness read ' || shown || '; the rules differ'
        ELSE 'the rules differ'
    END AS reason,
    model,
    benchmark,
    value,
    resolved_by,
    judge,
    measure,
    is_unresolved AND (coalesce(score > 0.0, FALSE) OR is_choice) AS is_unread,
    run_id,
    question_id
FROM compared
