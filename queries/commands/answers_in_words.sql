-- The same of questions that are answered in words: no choices, one pass.
SELECT
    p.run_id, p.question_id, p.pass, p.sample, p.component, f.text AS prediction,
    CAST(NULL AS VARCHAR) AS matched, CAST(NULL AS VARCHAR) AS rule,
    CAST(NULL AS VARCHAR) AS evidence, p.judge, p.judge_sample, p.predicted, p.answer, p.score,
    p.resolved_by, g.prompt, g.reply, g.error, g.refusal
FROM pass_result AS p
LEFT JOIN open_judged AS w
    ON
        p.run_id = w.run_id
        AND p.question_id = w.question_id
        AND p.sample = w.sample
        AND p.judge = w.judge
        AND p.judge_sample = w.judge_sample
LEFT JOIN main.prediction AS f
    ON p.run_id = f.run_id AND p.question_id = f.question_id AND p.pass = f.pass AND p.sample = f.sample
LEFT JOIN main.judgment AS g ON w.judgment_id = g.judgment_id
WHERE
    p.run_id BETWEEN $first AND $last
    AND list_contains($runs, p.run_id)
    AND list_contains($questions, p.question_id)
ORDER BY p.run_id, p.question_id, p.sample, p.pass, p.component, p.judge, p.judge_sample
