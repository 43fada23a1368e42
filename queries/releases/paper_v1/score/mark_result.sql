-- The marks of answers in words (MMBench, appendix): 1 to 5, no fractions of anything, so on no
-- board. One row per run, question, sample, judge and judge sample, for every answer with text.
-- @mark 1 to 5; NULL: pending.
-- @prediction The raw output that is marked.
SELECT
    run_id, model, dataset, question_id, question_key, sample, judge_id, judge, judge_sample,
    subject_hash, judgment_id, prediction, verdict_score AS mark
FROM open_judged
WHERE task = 'mark'
