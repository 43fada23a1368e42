-- Runs whose answers come in several files.

-- name: make_former
CREATE OR REPLACE TEMP TABLE stage_former (run_id INTEGER, former_id INTEGER)

-- name: note_former
INSERT INTO stage_former VALUES ($run_id, $former)

-- name: method_of_run
SELECT method, reduction, scored
FROM main.run
WHERE run_id = $run_id

-- name: other_predictions
SELECT s.row, s.question_key
FROM stage_prediction AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.prediction AS p
    ON b.question_id = p.question_id AND s.pass = p.pass AND s.sample = p.sample
WHERE
    p.run_id = $former
    AND s.model = $model
    AND b.split_key = $split_key
    AND (s.text IS DISTINCT FROM p.text OR s.failed <> p.failed)
ORDER BY s.row
LIMIT 1

-- name: other_choice_scores
SELECT s.row, s.question_key
FROM stage_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.choice_score AS p
    ON
        b.question_id = p.question_id
        AND s.pass = p.pass
        AND s.sample = p.sample
        AND s.component = p.component
        AND s.label = p.label
WHERE
    p.run_id = $former
    AND s.model = $model
    AND b.split_key = $split_key
    AND s.score IS DISTINCT FROM p.score
ORDER BY s.row
LIMIT 1

-- name: join_samples
INSERT INTO main.run_sample
SELECT f.run_id, r.sample
FROM stage_former AS f
INNER JOIN main.run_sample AS r ON f.former_id = r.run_id
ANTI JOIN main.run_sample AS n ON f.run_id = n.run_id AND r.sample = n.sample

-- name: join_status
INSERT INTO main.run_status
SELECT f.run_id, r.status, r.error
FROM stage_former AS f
INNER JOIN main.run_status AS r ON f.former_id = r.run_id
ANTI JOIN main.run_status AS n ON f.run_id = n.run_id

-- name: join_predictions
INSERT INTO main.prediction
SELECT f.run_id, p.question_id, p.pass, p.sample, p.text, p.failed
FROM stage_former AS f
INNER JOIN main.prediction AS p ON f.former_id = p.run_id
ANTI JOIN main.prediction AS n
    ON
        f.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample

-- name: join_sample_errors
INSERT INTO main.sample_error
SELECT f.run_id, e.question_id, e.pass, e.sample, e.error
FROM stage_former AS f
INNER JOIN main.sample_error AS e ON f.former_id = e.run_id
ANTI JOIN main.sample_error AS n
    ON
        f.run_id = n.run_id
        AND e.question_id = n.question_id
        AND e.pass = n.pass
        AND e.sample = n.sample

-- name: join_choice_scores
INSERT INTO main.choice_score
SELECT
    f.run_id, p.question_id, p.pass, p.sample, p.component, p.label, p.score, p.n_tokens, p.scorer
FROM stage_former AS f
INNER JOIN main.choice_score AS p ON f.former_id = p.run_id
ANTI JOIN main.choice_score AS n
    ON
        f.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample
        AND p.component = n.component
        AND p.label = n.label

-- name: join_answer_attributes
INSERT INTO main.answer_attribute (run_id, question_id, pass, sample, name, value)
SELECT f.run_id, e.question_id, e.pass, e.sample, e.name, e.value
FROM stage_former AS f
INNER JOIN main.answer_attribute AS e ON f.former_id = e.run_id
ANTI JOIN main.answer_attribute AS n
    ON
        f.run_id = n.run_id
        AND e.question_id = n.question_id
        AND e.pass = n.pass
        AND e.sample = n.sample
        AND e.name = n.name
