-- Every answer that some judge could decide, under every judge and person that could: to choices,
-- in words, and to questions of a rule that needs a judge. One row per run, question, pass, sample
-- and judge, by the judge's first sample.
-- @internal
-- @task What the judge does: choice_extraction, soft_score, answer_extraction, equivalence, points
--   or pair.
-- @prediction The raw output.
-- @has_verdict Whether the judge has a verdict on it.
WITH first_sample AS (
    SELECT judge_id, judge_sample
    FROM judge_asked
    WHERE is_first
)

SELECT
    p.run_id, p.question_id, p.pass, p.sample, p.judge_id, p.judge, 'choice_extraction' AS task,
    p.subject_hash, p.prediction, p.resolved_by = 'judge' AS has_verdict
FROM judged_pass AS p
INNER JOIN first_sample AS f USING (judge_id, judge_sample)
UNION ALL
SELECT
    run_id, question_id, pass, sample, judge_id, judge, task, subject_hash, prediction,
    resolved_by = 'graded' AS has_verdict
FROM open_judged
WHERE task = 'soft_score' AND is_first
UNION ALL
SELECT
    v.run_id, v.question_id, CAST(0 AS SMALLINT) AS pass, v.sample, v.judge_id, v.judge, v.task,
    s.subject_hash, p.text AS prediction, v.state = 'ok' AS has_verdict
FROM judged_answer AS v
INNER JOIN first_sample AS f USING (judge_id, judge_sample)
INNER JOIN main.prediction AS p
    ON v.run_id = p.run_id AND v.question_id = p.question_id AND v.sample = p.sample AND p.pass = 0
INNER JOIN ruled_subject AS s ON v.question_id = s.question_id AND p.text IS NOT DISTINCT FROM s.text
