-- Answers that a rule needs a judge for and that wait for one: paper_v1 has no such rules, and so
-- no rows; releases that build on it put theirs here. One row per waiting answer: run, question,
-- sample, judge and judge sample.
-- @stored_in judge_need task IN ('answer_extraction', 'equivalence')
-- @hook Gets answer_match's rows that are pending; must keep one row per answer that waits.
-- @task What the judge does: answer_extraction or equivalence.
-- @attempt Index of the next attempt: how many came back unusable so far.
-- @prediction The raw output to be judged.
SELECT
    CAST(NULL AS INTEGER) AS run_id, CAST(NULL AS INTEGER) AS question_id,
    CAST(NULL AS VARCHAR) AS question_key, CAST(NULL AS SMALLINT) AS pass,
    CAST(NULL AS SMALLINT) AS sample, CAST(NULL AS INTEGER) AS judge_id,
    CAST(NULL AS VARCHAR) AS judge, CAST(NULL AS VARCHAR) AS task,
    CAST(NULL AS SMALLINT) AS judge_sample, CAST(NULL AS BIGINT) AS attempt,
    CAST(NULL AS VARCHAR) AS subject_hash, CAST(NULL AS VARCHAR) AS prediction
WHERE FALSE
