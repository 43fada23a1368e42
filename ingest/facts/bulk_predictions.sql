-- Long predictions straight from the file to the facts. `raw` is the file, `stage_place` what its
-- rows have in common, `stage_placed_row` the rows with their place.

-- name: collect_places
CREATE TEMP TABLE stage_place AS
SELECT
    {kept}
    row, n, {its_model} AS model, {its_split} AS split, CAST({its_pass} AS SMALLINT) AS pass,
    CAST({its_sample} AS SMALLINT) AS sample, {its_failed} AS failed,
    CAST(NULL AS INTEGER) AS run_id
FROM (SELECT {names} min(__row) AS row, count(*) AS n FROM raw GROUP BY ALL)

-- name: places_in_order
-- A set of passes is one bit each of a BIGINT; and a split stands in every row, or in none.
SELECT
    bool_and(model IS NOT NULL AND pass <= 62 AND sample IS NOT NULL AND failed IS NOT NULL)
    AND bool_and(pass IS NOT NULL)
    AND count(split) IN (0, count(*))
    AND count(*) <= 1000000 AS in_order
FROM stage_place

-- name: find_keys
-- Questions whose answer is one text, with their passes.
CREATE OR REPLACE TEMP TABLE stage_key AS
SELECT d.split_key, q.question_key, q.question_id, bit_or(CAST(1 AS BIGINT) << p.pass) AS passes
FROM stage_dataset AS d
INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
INNER JOIN main.question_pass AS p ON q.question_id = p.question_id
ANTI JOIN main.question_component AS c ON q.question_id = c.question_id
WHERE p.pass <= 62
GROUP BY ALL

-- name: add_models
INSERT INTO main.model
SELECT
    (SELECT coalesce(max(model_id), 0) FROM main.model) + row_number() OVER (ORDER BY min(s.row)),
    s.model, $source_id
FROM stage_place AS s
ANTI JOIN main.model AS m ON s.model = m.name
ANTI JOIN main.model_alias AS a ON s.model = a.alias
GROUP BY s.model

-- name: find_runs
CREATE OR REPLACE TEMP TABLE stage_run AS
SELECT
    CAST(
        (SELECT coalesce(max(run_id), 0) FROM main.run) + row_number() OVER (ORDER BY min(s.row))
        AS INTEGER
    ) AS run_id,
    s.model, coalesce(any_value(m.model_id), any_value(a.model_id)) AS model_id, d.split_key,
    d.dataset_id, t.name AS dataset, CAST(sum(s.n) AS BIGINT) AS n
FROM stage_place AS s
INNER JOIN stage_dataset AS d ON coalesce(s.split, '') = d.split_key
INNER JOIN main.dataset AS t ON d.dataset_id = t.dataset_id
LEFT JOIN main.model AS m ON s.model = m.name
LEFT JOIN main.model_alias AS a ON s.model = a.alias
GROUP BY s.model, d.split_key, d.dataset_id, t.name

-- name: find_live_runs
CREATE OR REPLACE TEMP TABLE stage_live AS
SELECT r.run_id
FROM main.run AS r
SEMI JOIN stage_run AS s ON r.model_id = s.model_id AND r.dataset_id = s.dataset_id
WHERE r.label = $label AND r.superseded_by IS NULL AND r.retracted_at IS NULL

-- name: supersede_live_runs
UPDATE main.run
SET superseded_by = $source_id
FROM stage_live AS l
WHERE run.run_id = l.run_id

-- name: add_runs
INSERT INTO main.run (
    run_id, model_id, dataset_id, label, harness, method, produced_at, source_id
)
SELECT
    run_id, model_id, dataset_id, $label, $harness, $method, CAST($produced_at AS TIMESTAMP),
    $source_id
FROM stage_run
ORDER BY run_id

-- name: place_runs
UPDATE stage_place
SET run_id = r.run_id
FROM stage_run AS r
WHERE stage_place.model = r.model AND coalesce(stage_place.split, '') = r.split_key

-- name: add_samples
INSERT INTO main.run_sample
SELECT DISTINCT run_id, sample
FROM stage_place
ORDER BY ALL

-- name: add_predictions
-- A pass that the question does not have makes question_id NULL, which the table refuses. (As a
-- filter it would tempt the planner to join places and questions first.)
INSERT INTO main.prediction
SELECT
    s.run_id,
    CASE WHEN (k.passes >> s.pass) & 1 = 1 THEN k.question_id END,
    s.pass, s.sample, s.text, s.failed
FROM stage_placed_row AS s
INNER JOIN stage_key AS k ON s.question_key = k.question_key {and_split}

-- name: spans
SELECT
    max(pass) + 1 AS n_passes, max(sample) + 1 AS n_samples, count(DISTINCT split) AS n_splits,
    (SELECT row(min(question_id), max(question_id)) FROM stage_key) AS questions
FROM stage_place

-- name: count_keys_as_bits
SELECT
    bit_count(
        bitstring_agg(
            (
                (CAST(run_id - {first_run} AS BIGINT) * {n_questions} + question_id - {first_question})
                * {n_passes} + pass
            ) * {n_samples} + sample,
            0, {n_keys}
        )
    ) AS n
FROM main.prediction
WHERE run_id >= {first_run}

-- name: count_keys
SELECT count(*) AS n
FROM (SELECT DISTINCT run_id, question_id, pass, sample FROM main.prediction WHERE run_id >= {first_run})

-- name: place_rows
CREATE OR REPLACE TEMP VIEW stage_placed_row AS
SELECT p.run_id, p.pass, p.sample, p.failed, raw.split_key, raw.question_key, raw.text
FROM (
    SELECT {names} coalesce({split}, '') AS split_key, {key} AS question_key, {text} AS text
    FROM raw
) AS raw
INNER JOIN stage_place AS p ON {same}
