-- Verdicts of rules for answers in words (yes or no, numbers, texts): paper_v1 has none, and so no
-- rows; releases that build on it put theirs here. One row per run, question of such a rule, pass,
-- sample, judge and judge sample.
-- @stored_in pass_result task = 'rule'
-- @hook Gets predictions and benchmark_rule; must keep one row per run, question of such a rule and
--   sample, answered or not, under each judge.
-- @predicted What the rule read; NULL: nothing.
-- @answer The reference, where there is one; NULL: several, or hidden.
-- @score 0 to 1; NULL while pending, or where the answer is hidden.
-- @resolved_by rule, judge, unresolved, pending or missing.
SELECT
    CAST(NULL AS INTEGER) AS run_id, CAST(NULL AS INTEGER) AS question_id,
    CAST(NULL AS VARCHAR) AS question_key, CAST(NULL AS SMALLINT) AS pass,
    CAST(NULL AS SMALLINT) AS sample, CAST(NULL AS VARCHAR) AS judge,
    CAST(NULL AS SMALLINT) AS judge_sample, CAST(NULL AS VARCHAR) AS predicted,
    CAST(NULL AS VARCHAR) AS answer, CAST(NULL AS DOUBLE) AS score,
    CAST(NULL AS VARCHAR) AS resolved_by
WHERE FALSE
