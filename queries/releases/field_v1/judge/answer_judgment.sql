-- The judgment that a verdict on an answer rests on. One row per run, question, pass, sample,
-- component, judge and judge sample with one.
-- @internal
-- @table per run
-- @key question_id pass sample component judge judge_sample
SELECT run_id, question_id, pass, sample, component, judge, judge_sample, judgment_id
FROM judged_pass
WHERE judgment_id IS NOT NULL
UNION ALL
SELECT run_id, question_id, pass, sample, 'answer' AS component, judge, judge_sample, judgment_id
FROM open_judged
WHERE judgment_id IS NOT NULL
UNION ALL
SELECT
    run_id, question_id, CAST(0 AS SMALLINT) AS pass, sample, 'answer' AS component, judge,
    judge_sample, judgment_id
FROM judged_answer
WHERE judgment_id IS NOT NULL
