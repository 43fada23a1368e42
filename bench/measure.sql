-- The queries that are measured, over open connections, as a notebook has them.

-- name: leaderboard
SELECT *
FROM leaderboard
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
FROM ability_score
WHERE
    model = 'model-00017'
    AND strategy = 'circular'
    AND judge = 'none'
    AND average = 'micro'
    AND level = 'l2'

-- name: peer_circular
SELECT model, level, ability, score
FROM leaderboard
WHERE strategy = 'circular' AND judge = 'none' AND average = 'micro' AND level <> 'l1'

-- name: peer_vanilla
SELECT model, level, ability, score
FROM leaderboard
WHERE strategy = 'vanilla' AND judge = 'none' AND average = 'micro'

-- name: judge_todo
SELECT judge_sample, attempt, subject_hash, question_id, pass, run_id, prediction, n_answers
FROM judge_todo
WHERE judge = 'bench'

-- name: judged_readings
-- What a judge of VLMEvalKit read in answers that `field_v1` left to it, and what `latest` reads.
SELECT concat_ws('/', r.dataset, r.model, q.question_key, r.pass), r.predicted, m.matched, p.text
FROM field_v1.pass_result AS r
INNER JOIN main.prediction AS p USING (run_id, question_id, pass, sample)
INNER JOIN main.question AS q USING (question_id)
LEFT JOIN latest.choice_match AS m USING (run_id, question_id, pass, sample)
WHERE r.task = 'choice' AND r.resolved_by = 'judge' AND p.text IS NOT NULL

-- name: counted_predictions
SELECT count(*)
FROM main.prediction AS p
INNER JOIN main.run AS r USING (run_id)
WHERE r.superseded_by IS NULL

-- name: two_runs
SELECT m.name, r.run_id
FROM main.run AS r
INNER JOIN main.model AS m USING (model_id)
WHERE r.superseded_by IS NULL
ORDER BY r.run_id
LIMIT 2

-- name: vanilla_score
SELECT score
FROM ability_score
WHERE level = 'overall' AND strategy = 'vanilla' AND average = 'micro' AND judge = 'none'
