-- The rule of SEED-Bench's leaderboard that a dimension counts only with valid responses to at
-- least half of its questions. One row per run, ability and judge of a choice benchmark; pass 0.
-- @n Questions of the ability.
-- @n_valid Those whose answer could be read or ranked: a label by the rules, by the judge (X
--   included) or by the scores.
-- @is_valid Whether n_valid is at least half of n.
-- @score Right answers over n (over questions, at every level) where the ability counts and the run
--   reaches it; NULL where not.
WITH validity AS (
    SELECT
        run_id, question_id, judge,
        min(CASE WHEN resolved_by IN ('rule', 'judge', 'ranked') THEN 1 ELSE 0 END) AS is_valid
    FROM pass_result
    WHERE pass = 0
    GROUP BY run_id, question_id, judge
),

counted AS (
    SELECT
        v.run_id, v.judge, l.ability_id, count(*) AS n, sum(v.is_valid) AS n_valid,
        sum(q.score) AS points, count(q.score) AS n_scored
    FROM validity AS v
    INNER JOIN question_result AS q
        ON
            v.run_id = q.run_id
            AND v.question_id = q.question_id
            AND v.judge = q.judge
            AND q.strategy = 'vanilla'
    INNER JOIN question_level AS l ON v.question_id = l.question_id
    GROUP BY v.run_id, v.judge, l.ability_id
)

SELECT
    c.run_id, r.model, r.run, r.dataset, c.judge, t.level, t.ability, t.ordinal AS ability_ordinal,
    c.n, CAST(c.n_valid AS BIGINT) AS n_valid, 2 * c.n_valid >= c.n AS is_valid,
    CASE WHEN h.is_reached AND 2 * c.n_valid >= c.n AND c.n_scored = c.n THEN c.points / c.n END AS score
FROM counted AS c
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_reach AS h USING (run_id, ability_id)
INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
WHERE r.task = 'choice'
