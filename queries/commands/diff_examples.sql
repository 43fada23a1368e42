-- The first verdicts that change, with the text they are about.
SELECT
    a.dataset, a.model, a.question_key, a.pass, p.text AS prediction, a.predicted AS before,
    b.predicted AS after, a.answer
FROM before_release.pass_result AS a
INNER JOIN after_release.pass_result AS b
    ON
        a.run_id = b.run_id
        AND a.question_id = b.question_id
        AND a.pass = b.pass
        AND a.sample = b.sample
        AND a.component = b.component
        AND a.judge = b.judge
        AND a.judge_sample = b.judge_sample
LEFT JOIN main.prediction AS p
    ON
        a.run_id = p.run_id
        AND a.question_id = p.question_id
        AND a.pass = p.pass
        AND a.sample = p.sample
WHERE a.judge = 'none' AND a.predicted IS DISTINCT FROM b.predicted
ORDER BY a.dataset, a.model, a.question_id, a.pass
LIMIT 10
