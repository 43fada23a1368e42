-- What some runs made of each pass of some questions with choices, under each judge.
SELECT
    p.run_id, p.question_id, p.pass, p.sample, p.component, f.text AS prediction, m.matched, m.rule,
    m.evidence, p.judge, p.judge_sample, p.predicted, p.answer, p.score, p.resolved_by, g.prompt,
    g.reply, g.error, g.refusal
FROM pass_result AS p
LEFT JOIN choice_reading AS m
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
LEFT JOIN main.prediction AS f
    ON p.run_id = f.run_id AND p.question_id = f.question_id AND p.pass = f.pass AND p.sample = f.sample
LEFT JOIN main.judgment AS g ON j.judgment_id = g.judgment_id
WHERE
    p.run_id BETWEEN $first AND $last
    AND list_contains($runs, p.run_id)
    AND list_contains($questions, p.question_id)
ORDER BY p.run_id, p.question_id, p.sample, p.pass, p.component, p.judge, p.judge_sample
