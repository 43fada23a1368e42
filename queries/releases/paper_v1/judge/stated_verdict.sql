-- The verdicts that a harness's files hold without the judge's reply, as far as the release counts
-- them: none. One row per run, question, pass, sample, judge and judge sample.
-- @stated drawn (the harness drew a letter, as no reply could be read), word (what it read in the
--   reply) or hit (whether the answer was right, and no more).
-- @score What the harness scored the answer.
-- @word The word, verbatim; NULL: there is none.
SELECT
    run_id, question_id, pass, sample, judge_id, CAST(NULL AS VARCHAR) AS judge, judge_sample,
    judgment_id, stated, score, word
FROM main.judgment
WHERE FALSE
