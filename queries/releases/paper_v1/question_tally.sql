-- What the rules alone decide of each question, counted. One row per run, question and sample, for every question of the dataset, answered or not.
-- @n_required The passes that have to be right for the question to be right under CircularEval.
-- @n_answered Passes with an answer (with every component of one), in any state but failed.
-- @n_right Passes that the rules or the ranking find right.
-- @n_open Passes that a judge can tell more of.
-- @n_first 1 if the dataset holds pass 0.
-- @n_hidden Passes whose answer is hidden.
-- @n_first_hidden 1 if pass 0's answer is hidden.
-- @first_answered As n_answered, for pass 0 alone.
-- @first_right As n_right, for pass 0 alone.
SELECT
    r.run_id,
    r.model,
    r.dataset,
    q.question_id,
    q.question_key,
    s.sample,
    q.n_expected,
    required_passes(coalesce(t.n_answered, 0), q.n_expected) AS n_required,
    q.n_first,
    q.n_hidden,
    q.n_first_hidden,
    coalesce(t.n_answered, 0) AS n_answered,
    coalesce(t.n_right, 0) AS n_right,
    coalesce(t.n_open, 0) AS n_open,
    coalesce(t.first_answered, 0) AS first_answered,
    coalesce(t.first_right, 0) AS first_right
FROM current_run AS r
INNER JOIN question_shape AS q ON r.dataset_id = q.dataset_id
INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
LEFT JOIN pass_tally AS t
    ON r.run_id = t.run_id AND q.question_id = t.question_id AND s.sample = t.sample
WHERE r.task = 'choice'
