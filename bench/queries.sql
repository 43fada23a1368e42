-- The queries that are measured, over open connections, as a notebook has them.

-- name: leaderboard
SELECT *
FROM latest.leaderboard
WHERE strategy = 'circular' AND judge = 'none' AND average = 'micro'

-- name: bare
-- The engine's floor: one comparison and one aggregate. Counted, so that fetching costs nothing.
SELECT count(*), count(*) FILTER (WHERE is_right)
FROM (
    SELECT run_id, question_id, bool_and(text = 'B') AS is_right
    FROM main.prediction
    GROUP BY run_id, question_id
)

-- name: slice
SELECT ability, score
FROM latest.ability_score
WHERE
    model = 'model-00017'
    AND strategy = 'circular'
    AND judge = 'none'
    AND average = 'micro'
    AND level = 'l2'

-- name: peer_circular
SELECT model, level, ability, score
FROM vlmevalkit_0_0_20.leaderboard
WHERE strategy = 'circular' AND judge = 'none' AND average = 'micro' AND level <> 'l1'

-- name: peer_vanilla
SELECT model, level, ability, score
FROM vlmevalkit_0_0_20.leaderboard
WHERE strategy = 'vanilla' AND judge = 'none' AND average = 'micro'

-- name: judge_todo
SELECT judge_sample, attempt, subject_hash, question_id, pass, run_id, prediction, n_answers
FROM latest.judge_todo
WHERE judge = 'bench'
