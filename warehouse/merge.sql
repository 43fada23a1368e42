-- The statements of a merge other than the maps of merge_maps.sql.

-- name: number
-- New rows get ids after those that are here.
CREATE OR REPLACE TEMP TABLE {merge_table} AS
WITH found AS (
{found}
)

SELECT
    * EXCLUDE (known_id),
    coalesce(
        known_id,
        (SELECT coalesce(max({id}), 0) FROM {table})
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: flags_with_runs
SELECT source_id, flags
FROM the_other.main.source
WHERE contains(flags, '"runs":')

-- name: runs_by_other_id
SELECT other_id, id
FROM merge_run

-- name: columns
-- Of all tables at once: the engine lists the columns of every view for this.
SELECT table_name, list(column_name ORDER BY column_index) AS columns
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main'
GROUP BY table_name

-- name: columns_of_sources
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    database_name = current_database()
    AND schema_name = 'main'
    AND column_name IN ('source_id', 'superseded_by', 'dropped_by', 'restored_by')
    AND table_name <> 'source'
    AND list_contains($tables, table_name)
ORDER BY ALL

-- name: forget_dropped_sources
DELETE FROM main.dataset_source
WHERE
    source_id IN (SELECT id FROM merge_source WHERE is_new)
    AND source_id NOT IN (SELECT source_id FROM main.source)

-- name: complete_questions
UPDATE main.question
SET text = o.text, source_id = s.id
FROM the_other.main.question AS o
INNER JOIN merge_question AS q ON o.question_id = q.other_id AND q.is_completed
INNER JOIN merge_source AS s ON o.source_id = s.other_id
WHERE question.question_id = q.id

-- name: forget_assumed_choices
DELETE FROM main.choice
USING merge_question AS q
WHERE q.is_completed AND choice.question_id = q.id AND choice.pass = 0

-- name: add_names_as_aliases
-- A model that is known here under another name keeps this one.
INSERT INTO main.model_alias
SELECT m.id, o.name, s.id
FROM the_other.main.model AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id AND NOT m.is_new
INNER JOIN merge_source AS s ON o.source_id = s.other_id
ANTI JOIN main.model AS h ON o.name = h.name
ANTI JOIN main.model_alias AS a ON o.name = a.alias

-- name: counts
SELECT
    (SELECT count(*) FROM merge_run WHERE is_new) AS new_runs,
    (SELECT count(*) FROM merge_run WHERE NOT is_new) AS same_runs,
    (SELECT count(*) FROM merge_question WHERE is_new) AS new_questions,
    (SELECT count(*) FROM merge_question WHERE NOT is_new) AS same_questions,
    (SELECT count(*) FROM merge_dataset WHERE is_new) AS new_datasets,
    (SELECT count(*) FROM merge_judgment WHERE is_new) AS new_judgments,
    (SELECT count(*) FROM merge_judgment WHERE NOT is_new) AS same_judgments,
    (SELECT count(*) FROM merge_source WHERE is_new) AS new_sources

-- name: find_joined
-- Parts of a run, one here and one there, that say nothing different of the same question.
CREATE OR REPLACE TEMP TABLE merge_joined AS
SELECT v.other_id, v.id AS here_id, r.id AS run_id
FROM merge_overlap AS v
INNER JOIN merge_run AS r ON v.other_id = r.other_id AND r.is_new
WHERE v.n_in_both = v.n_same

-- name: join_samples
INSERT INTO main.run_sample
SELECT j.run_id, r.sample
FROM merge_joined AS j
INNER JOIN main.run_sample AS r ON j.here_id = r.run_id
ANTI JOIN main.run_sample AS n ON j.run_id = n.run_id AND r.sample = n.sample

-- name: join_predictions
INSERT INTO main.prediction
SELECT j.run_id, p.question_id, p.pass, p.sample, p.text, p.failed
FROM merge_joined AS j
INNER JOIN main.prediction AS p ON j.here_id = p.run_id
ANTI JOIN main.prediction AS n
    ON
        j.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample

-- name: join_choice_scores
INSERT INTO main.choice_score
SELECT
    j.run_id, p.question_id, p.pass, p.sample, p.component, p.label, p.score, p.n_tokens, p.scorer
FROM merge_joined AS j
INNER JOIN main.choice_score AS p ON j.here_id = p.run_id
ANTI JOIN main.choice_score AS n
    ON
        j.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample
        AND p.component = n.component
        AND p.label = n.label

-- name: join_sample_errors
INSERT INTO main.sample_error
SELECT j.run_id, e.question_id, e.pass, e.sample, e.error
FROM merge_joined AS j
INNER JOIN main.sample_error AS e ON j.here_id = e.run_id
ANTI JOIN main.sample_error AS n
    ON
        j.run_id = n.run_id
        AND e.question_id = n.question_id
        AND e.pass = n.pass
        AND e.sample = n.sample

-- name: join_answer_attributes
INSERT INTO main.answer_attribute
SELECT j.run_id, e.question_id, e.pass, e.sample, e.name, e.value
FROM merge_joined AS j
INNER JOIN main.answer_attribute AS e ON j.here_id = e.run_id
ANTI JOIN main.answer_attribute AS n
    ON
        j.run_id = n.run_id
        AND e.question_id = n.question_id
        AND e.pass = n.pass
        AND e.sample = n.sample
        AND e.name = n.name

-- name: join_harness_scores
INSERT INTO main.harness_score (
    run_id, question_id, pass, sample, metric, filter, value, score, answer, source_id
)
SELECT
    j.run_id, p.question_id, p.pass, p.sample, p.metric, p.filter, p.value, p.score, p.answer,
    p.source_id
FROM merge_joined AS j
INNER JOIN main.harness_score AS p ON j.here_id = p.run_id
ANTI JOIN main.harness_score AS n
    ON
        j.run_id = n.run_id
        AND p.question_id = n.question_id
        AND p.pass = n.pass
        AND p.sample = n.sample
        AND p.metric = n.metric
        AND p.filter IS NOT DISTINCT FROM n.filter

-- name: join_status
INSERT INTO main.run_status
SELECT j.run_id, e.status, e.error
FROM merge_joined AS j
INNER JOIN main.run_status AS e ON j.here_id = e.run_id
ANTI JOIN main.run_status AS n ON j.run_id = n.run_id

-- name: join_inputs
INSERT INTO main.run_input
SELECT j.run_id, i.input
FROM merge_joined AS j
INNER JOIN main.run_input AS i ON j.here_id = i.run_id
ANTI JOIN main.run_input AS n ON j.run_id = n.run_id

-- name: join_thinking
INSERT INTO main.run_thinking
SELECT j.run_id, i.marks
FROM merge_joined AS j
INNER JOIN main.run_thinking AS i ON j.here_id = i.run_id
ANTI JOIN main.run_thinking AS n ON j.run_id = n.run_id

-- name: supersede_joined
-- The answers of a run never change: one with more answers takes its place.
UPDATE main.run
SET superseded_by = n.source_id
FROM merge_joined AS j
INNER JOIN main.run AS n ON j.run_id = n.run_id
WHERE run.run_id = j.here_id

-- name: describe_joined
SELECT
    printf(
        'run %s of %s on %s: run %d joins the answers of run %d here and run %d there',
        r.label, m.name, d.name, j.run_id, j.here_id, j.other_id
    )
FROM merge_joined AS j
INNER JOIN main.run AS r ON j.here_id = r.run_id
INNER JOIN main.model AS m ON r.model_id = m.model_id
INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
ORDER BY j.run_id

-- name: drop_sources
-- New sources that have facts there and none here. What a benchmark's folder says of names is in
-- no other table.
DELETE FROM main.source USING merge_source AS s
WHERE
    source.source_id = s.id
    AND s.is_new
    AND s.other_id IN (SELECT u.id FROM ({there}) AS u(id))
    AND NOT EXISTS (SELECT 1 FROM ({here}) AS u(id) WHERE u.id = s.id)
    AND source.format <> $stored_as
