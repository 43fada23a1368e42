-- From staged predictions and choice scores to runs. {staged} is stage_prediction or stage_score.
--
-- Runs whose answers come in several files.
--
-- Answers of which nothing but their ids says which questions they are of.

-- name: exist
-- Whether there is anything at all of what few warehouses have.
SELECT
    EXISTS (FROM main.question_component) AS components,
    EXISTS (FROM main.dropped_question) AS dropped_questions

-- name: unknown
-- An answer to a question, or else to a pass (not NULL), that the dataset does not have.
SELECT s.row, s.question_key, CASE WHEN b.question_id IS NOT NULL THEN s.pass END AS unknown_pass
FROM {staged} AS s
LEFT JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.question_pass AS p ON b.question_id = p.question_id AND s.pass = p.pass
ORDER BY unknown_pass IS NOT NULL, s.row
LIMIT 1

-- name: unknown_choices
SELECT s.row, s.question_key, s.label
FROM stage_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
ANTI JOIN main.choice AS c
    ON b.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
ORDER BY s.row
LIMIT 1

-- name: predictions_in_one_piece
SELECT s.row, s.question_key, string_agg(c.component, ' and ' ORDER BY c.component DESC) AS wanted
FROM stage_prediction AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN main.question_component AS c ON b.question_id = c.question_id
GROUP BY s.row, s.question_key
ORDER BY s.row
LIMIT 1

-- name: foreign_components
WITH wanted AS (
    SELECT
        question_id, list(component) AS components,
        string_agg(component, ' and ' ORDER BY component DESC) AS words
    FROM main.question_component
    GROUP BY question_id
)

SELECT
    s.row, s.question_key, s.component,
    coalesce(w.words, 'answer, as it has no components') AS words
FROM stage_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
LEFT JOIN wanted AS w ON b.question_id = w.question_id
WHERE NOT list_contains(coalesce(w.components, ['answer']), s.component)
ORDER BY s.row
LIMIT 1

-- name: answered
SELECT model, split, count(*) AS n, list_sort(list(DISTINCT sample)) AS samples, min(row) AS first_row
FROM {staged}
GROUP BY model, split
ORDER BY min(row)

-- name: note_runs
CREATE OR REPLACE TEMP TABLE stage_run AS
SELECT
    unnest($run_ids::INTEGER[]) AS run_id, unnest($models::VARCHAR[]) AS model,
    unnest($split_keys::VARCHAR[]) AS split_key, unnest($dataset_ids::INTEGER[]) AS dataset_id

-- name: add_samples
INSERT INTO main.run_sample
SELECT unnest($run_ids::INTEGER[]) AS run_id, unnest($samples::INTEGER[]) AS sample

-- name: add_status
INSERT INTO main.run_status
SELECT run_id, $status, $error
FROM stage_run

-- name: status_of_run
SELECT status, error
FROM main.run_status
WHERE run_id = $run_id

-- name: add_sample_errors
INSERT INTO main.sample_error
SELECT r.run_id, b.question_id, s.pass, s.sample, e.error
FROM stage_error AS e
INNER JOIN stage_prediction AS s ON e.row = s.row
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON s.model = r.model AND b.split_key = r.split_key

-- name: add_predictions
INSERT INTO main.prediction
SELECT r.run_id, b.question_id, s.pass, s.sample, s.text, s.failed
FROM stage_prediction AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON s.model = r.model AND b.split_key = r.split_key

-- name: add_choice_scores
INSERT INTO main.choice_score
SELECT
    r.run_id, b.question_id, s.pass, s.sample, s.component, s.label, s.score, s.n_tokens, s.scorer
FROM stage_score AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON s.model = r.model AND b.split_key = r.split_key

-- name: live_run
SELECT run_id, source_id, method, reduction, scored
FROM main.run
WHERE
    model_id = $model_id
    AND dataset_id = $dataset_id
    AND label = $label
    AND superseded_by IS NULL
    AND retracted_at IS NULL

-- name: count_same_rows
WITH stored AS (
    SELECT question_id, {known}
    FROM main.{stored}
    WHERE run_id = $run_id
)

SELECT
    (SELECT count(*) FROM stored) AS n_stored,
    (
        SELECT count(*)
        FROM (
            SELECT b.question_id, {staged_columns}
            FROM {staged} AS s
            INNER JOIN stage_bound AS b
                ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
            WHERE s.model = $model AND b.split_key = $split_key
            INTERSECT ALL
            SELECT * FROM stored
        )
    ) AS n_same

-- name: count_in_words
-- Answers to questions with choices, and how many of them are the words of one that is no letter.
WITH spelt AS (
    SELECT
        c.question_id, c.pass,
        list(lower(rtrim(trim(c.text), '.'))) FILTER (length(trim(c.text)) > 1) AS words
    FROM main.choice AS c
    SEMI JOIN stage_bound AS b ON c.question_id = b.question_id
    GROUP BY c.question_id, c.pass
)

SELECT
    count(*) AS n,
    count(*) FILTER (list_contains(c.words, lower(rtrim(trim(s.text), '.')))) AS n_in_words
FROM stage_prediction AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN spelt AS c ON b.question_id = c.question_id AND s.pass = c.pass

-- name: add_answer_attributes
-- {staged} is stage_prediction or stage_score: of an answer that was left out nothing is kept. What
-- is of no model is of every run of the file.
INSERT INTO main.answer_attribute (run_id, question_id, pass, sample, name, value)
SELECT r.run_id, b.question_id, s.pass, s.sample, s.name, s.value
FROM stage_answer_attribute AS s
INNER JOIN stage_bound AS b
    ON coalesce(s.split, '') = b.split_key AND s.question_key = b.question_key
INNER JOIN stage_run AS r ON coalesce(s.model, r.model) = r.model AND b.split_key = r.split_key
SEMI JOIN {staged} AS p
    ON
        r.model = p.model
        AND s.split IS NOT DISTINCT FROM p.split
        AND s.question_key = p.question_key
        AND s.pass = p.pass
        AND s.sample = p.sample
WHERE s.value IS NOT NULL

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

-- name: are_numbers
SELECT coalesce(bool_and(regexp_full_match(question_key, '[0-9]{{1,6}}')), false)
FROM {answers}
