-- What the rules alone decide of each question, counted. One row per run, question and sample, for every question of the dataset, answered or not.
-- @n_required The passes that have to be right for the question to be right under CircularEval.
-- @n_answered Passes with an answer (with every component of one), in any state but failed.
-- @n_right Passes that the rules or the ranking find right.
-- @n_first 1 if the dataset holds pass 0.
-- @n_hidden Passes whose answer is hidden.
-- @n_first_hidden 1 if pass 0's answer is hidden.
-- @first_answered As n_answered, for pass 0 alone.
-- @first_right As n_right, for pass 0 alone.
WITH tally AS (
    SELECT
        run_id,
        question_id,
        sample,
        CAST(sum(is_answered) AS BIGINT) AS n_answered,
        CAST(sum(is_right) AS BIGINT) AS n_right,
        CAST(sum(CASE WHEN pass = 0 THEN is_answered ELSE 0 END) AS BIGINT) AS first_answered,
        CAST(sum(CASE WHEN pass = 0 THEN is_right ELSE 0 END) AS BIGINT) AS first_right
    FROM whole_pass
    GROUP BY run_id, question_id, sample
)

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
    coalesce(t.first_answered, 0) AS first_answered,
    coalesce(t.first_right, 0) AS first_right
FROM current_run AS r
INNER JOIN question_shape AS q ON r.dataset_id = q.dataset_id
INNER JOIN main.run_sample AS s ON r.run_id = s.run_id
LEFT JOIN tally AS t
    ON r.run_id = t.run_id AND q.question_id = t.question_id AND s.sample = t.sample
WHERE r.task = 'choice'
