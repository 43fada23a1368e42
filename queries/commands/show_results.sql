-- What a model's runs made of each pass, under each judge.
SELECT
    r.run_id,
    r.run,
    r.model,
    p.pass,
    p.sample,
    coalesce(a.prediction, o.prediction) AS prediction,
    m.matched,
    m.rule,
    p.judge,
    p.judge_sample,
    p.predicted,
    p.answer,
    p.score,
    p.resolved_by,
    g.prompt,
    g.reply,
    g.error
FROM pass_result AS p
INNER JOIN current_run AS r ON p.run_id = r.run_id
LEFT JOIN answered_pass AS a
    ON
        p.run_id = a.run_id
        AND p.question_id = a.question_id
        AND p.pass = a.pass
        AND p.sample = a.sample
        AND p.component = a.component
LEFT JOIN choice_match AS m
    ON
        p.run_id = m.run_id
        AND p.question_id = m.question_id
        AND p.pass = m.pass
        AND p.sample = m.sample
LEFT JOIN judged_pass AS j
    ON
        p.run_id = j.run_id
        AND p.question_id = j.question_id
        AND p.pass = j.pass
        AND p.sample = j.sample
        AND p.judge = j.judge
        AND p.judge_sample = j.judge_sample
LEFT JOIN open_answer AS o
    ON p.run_id = o.run_id AND p.question_id = o.question_id AND p.sample = o.sample
LEFT JOIN open_judged AS w
    ON
        p.run_id = w.run_id
        AND p.question_id = w.question_id
        AND p.sample = w.sample
        AND p.judge = w.judge
        AND p.judge_sample = w.judge_sample
LEFT JOIN main.judgment AS g ON coalesce(j.judgment_id, w.judgment_id) = g.judgment_id
WHERE
    p.question_id = $question_id
    AND ($model_id IS NULL OR r.model_id = $model_id)
    AND ($judge IS NULL OR p.judge = $judge)
ORDER BY r.model, r.run_id, p.sample, p.pass, p.judge, p.judge_sample
