-- What the rules alone decide of each question that a run answered, counted. One row per run, question and sample with an answer to any pass; question_tally has the other questions too.
-- @n_answered Passes with an answer (with every component of one), in any state but failed.
-- @n_right Passes that the rules or the ranking find right.
-- @n_open Passes that a judge can tell more of.
-- @first_answered As n_answered, for pass 0 alone.
-- @first_right As n_right, for pass 0 alone.
SELECT
    run_id,
    question_id,
    sample,
    count(CASE WHEN is_answered = 1 THEN 1 END) AS n_answered,
    count(CASE WHEN is_right = 1 THEN 1 END) AS n_right,
    count(CASE WHEN is_open = 1 THEN 1 END) AS n_open,
    count(CASE WHEN is_answered = 1 AND pass = 0 THEN 1 END) AS first_answered,
    count(CASE WHEN is_right = 1 AND pass = 0 THEN 1 END) AS first_right
FROM whole_pass
GROUP BY run_id, question_id, sample
