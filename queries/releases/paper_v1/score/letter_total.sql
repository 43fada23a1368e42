-- What grades by letter come to (letter_question), in all and by ability: the mean over questions.
-- One row per run, judge, level and ability.
-- @n Questions of the dataset that count for the ability.
-- @n_missing Samples without an answer.
-- @n_pending Answers without a grade.
WITH summed AS (
    SELECT
        o.run_id, o.judge, l.ability_id, count(*) AS n, sum(o.n_missing) AS n_missing,
        sum(o.n_pending) AS n_pending, avg(o.score_low) AS score_low,
        avg(o.score_high) AS score_high
    FROM letter_question AS o
    INNER JOIN question_level AS l USING (question_id)
    GROUP BY o.run_id, o.judge, l.ability_id
)

SELECT
    s.run_id, r.model, r.run, r.dataset, r.benchmark, s.judge, t.level, t.ability, s.n,
    CAST(s.n_missing AS BIGINT) AS n_missing, CAST(s.n_pending AS BIGINT) AS n_pending,
    CASE WHEN s.n_pending = 0 THEN s.score_low END AS score,
    s.score_low, s.score_high
FROM summed AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
