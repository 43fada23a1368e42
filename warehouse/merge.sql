-- From another warehouse, attached as the_other, into this one. Each merge_… table says under which id
-- a row of the other one is known here (`is_new`: it gets that id). Conflicts are texts.

-- name: map_benchmarks
CREATE OR REPLACE TEMP TABLE merge_benchmark AS
WITH found AS (
    SELECT o.benchmark_id AS other_id, min(m.benchmark_id) AS known_id
    FROM the_other.main.benchmark AS o
    LEFT JOIN main.benchmark AS m ON lower(o.name) = lower(m.name)
    GROUP BY o.benchmark_id
)

SELECT
    other_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(benchmark_id), 0) FROM main.benchmark)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: map_abilities
CREATE OR REPLACE TEMP TABLE merge_ability AS
WITH found AS (
    SELECT o.ability_id AS other_id, min(m.ability_id) AS known_id
    FROM the_other.main.ability AS o
    INNER JOIN merge_benchmark AS b ON o.benchmark_id = b.other_id
    LEFT JOIN main.ability AS m
        ON b.id = m.benchmark_id AND o.level = m.level AND lower(o.name) = lower(m.name)
    GROUP BY o.ability_id
)

SELECT
    other_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(ability_id), 0) FROM main.ability)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: map_datasets
CREATE OR REPLACE TEMP TABLE merge_dataset AS
WITH found AS (
    SELECT o.dataset_id AS other_id, min(m.dataset_id) AS known_id
    FROM the_other.main.dataset AS o
    INNER JOIN merge_benchmark AS b ON o.benchmark_id = b.other_id
    LEFT JOIN main.dataset AS m
        ON
            b.id = m.benchmark_id
            AND o.version IS NOT DISTINCT FROM m.version
            AND o.split IS NOT DISTINCT FROM m.split
            AND o.language IS NOT DISTINCT FROM m.language
    GROUP BY o.dataset_id
)

SELECT
    other_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(dataset_id), 0) FROM main.dataset)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new,
    EXISTS (
        SELECT 1 FROM main.dataset_source AS s WHERE s.dataset_id = known_id AND s.role = 'questions'
    ) AS is_complete,
    EXISTS (
        SELECT 1
        FROM the_other.main.dataset_source AS s
        WHERE s.dataset_id = other_id AND s.role = 'questions'
    ) AS is_complete_there
FROM found

-- name: map_questions
CREATE OR REPLACE TEMP TABLE merge_question AS
WITH found AS (
    SELECT
        o.question_id AS other_id,
        d.id AS dataset_id,
        min(m.question_id) AS known_id,
        -- Known here by its id alone, with assumed choices; the other one has its texts.
        coalesce(bool_or(m.text = '' AND o.text <> ''), false) AS is_completed
    FROM the_other.main.question AS o
    INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
    LEFT JOIN main.question AS m ON d.id = m.dataset_id AND o.question_key = m.question_key
    GROUP BY o.question_id, d.id
)

SELECT
    other_id,
    dataset_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(question_id), 0) FROM main.question)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new,
    is_completed
FROM found

-- name: map_models
CREATE OR REPLACE TEMP TABLE merge_model AS
WITH here AS (
    SELECT model_id, name FROM main.model
    UNION
    SELECT model_id, alias AS name FROM main.model_alias
),

there AS (
    SELECT model_id, name FROM the_other.main.model
    UNION
    SELECT model_id, alias AS name FROM the_other.main.model_alias
),

found AS (
    SELECT
        t.model_id AS other_id,
        min(h.model_id) AS known_id,
        count(DISTINCT h.model_id) AS n_known
    FROM there AS t
    LEFT JOIN here AS h ON t.name = h.name
    GROUP BY t.model_id
)

SELECT
    other_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(model_id), 0) FROM main.model)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new,
    n_known
FROM found

-- name: map_judges
-- A judge that counts there is never one that is retracted here, where nobody would see what she said.
CREATE OR REPLACE TEMP TABLE merge_judge AS
WITH found AS (
    SELECT
        o.judge_id AS other_id,
        -- One that is retracted too, or is not either, then of the same name.
        arg_min(
            m.judge_id,
            (m.retracted_at IS NULL AND o.retracted_at IS NOT NULL)::INTEGER * 2e9
            + (m.name <> o.name)::INTEGER * 1e9
            + m.judge_id
        ) AS known_id
    FROM the_other.main.judge AS o
    LEFT JOIN main.judge AS m
        ON
            (m.retracted_at IS NULL OR o.retracted_at IS NOT NULL)
            AND (
                o.fingerprint = m.fingerprint
                OR (
                    o.name = m.name
                    AND (o.fingerprint IS NULL OR m.fingerprint IS NULL)
                    AND o.task = m.task
                    AND o.kind = m.kind
                )
            )
    GROUP BY o.judge_id
)

SELECT
    other_id,
    coalesce(
        known_id,
        (SELECT coalesce(max(judge_id), 0) FROM main.judge)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: find_names
-- What runs are and were called, by the models' ids here: `runs rename` gives another label or model.
CREATE OR REPLACE TEMP TABLE merge_name AS
WITH models_here AS (
    SELECT model_id, name FROM main.model
    UNION
    SELECT model_id, alias AS name FROM main.model_alias
),

models_there AS (
    SELECT model_id, name FROM the_other.main.model
    UNION
    SELECT model_id, alias AS name FROM the_other.main.model_alias
),

labels AS (
    SELECT true AS is_here, run_id, label FROM main.run
    UNION
    SELECT true AS is_here, run_id, before AS label FROM main.run_event WHERE event = 'rename_run'
    UNION
    SELECT false AS is_here, run_id, label FROM the_other.main.run
    UNION
    SELECT false AS is_here, run_id, before AS label
    FROM the_other.main.run_event
    WHERE event = 'rename_run'
),

models AS (
    SELECT true AS is_here, run_id, model_id FROM main.run
    UNION
    SELECT true AS is_here, e.run_id, m.model_id
    FROM main.run_event AS e
    INNER JOIN models_here AS m ON e.before = m.name
    WHERE e.event = 'rename_model'
    UNION
    SELECT false AS is_here, r.run_id, m.id AS model_id
    FROM the_other.main.run AS r
    INNER JOIN merge_model AS m ON r.model_id = m.other_id
    UNION
    SELECT false AS is_here, e.run_id, m.id AS model_id
    FROM the_other.main.run_event AS e
    INNER JOIN models_there AS t ON e.before = t.name
    INNER JOIN merge_model AS m ON t.model_id = m.other_id
    WHERE e.event = 'rename_model'
)

SELECT is_here, run_id, model_id, label
FROM labels
INNER JOIN models USING (is_here, run_id)

-- name: find_candidates
-- Runs of the same dataset, model and label on both sides, by any of their names and in any state.
CREATE OR REPLACE TEMP TABLE merge_candidate AS
SELECT DISTINCT
    o.run_id AS other_id,
    r.run_id AS id,
    m.id = r.model_id AND o.label = r.label AS is_same_name
FROM the_other.main.run AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id
INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
INNER JOIN merge_name AS t ON NOT t.is_here AND o.run_id = t.run_id
INNER JOIN merge_name AS h ON h.is_here AND t.model_id = h.model_id AND t.label = h.label
INNER JOIN main.run AS r
    ON
        h.run_id = r.run_id
        AND d.id = r.dataset_id
        AND o.method = r.method
        AND o.reduction IS NOT DISTINCT FROM r.reduction
        AND o.scored IS NOT DISTINCT FROM r.scored

-- name: sign_candidates
-- The rows of candidates as a number; the engine's own hash will do, as it does not leave this query.
CREATE OR REPLACE TEMP TABLE merge_signed AS
WITH rows_here AS (
    SELECT
        p.run_id,
        hash(p.question_id, p.pass, p.sample, p.text, p.failed) AS one,
        hash(p.failed, p.text, p.sample, p.pass, p.question_id, 'two') AS two
    FROM main.prediction AS p
    WHERE p.run_id IN (SELECT id FROM merge_candidate)
    UNION ALL
    SELECT
        s.run_id,
        hash(
            s.question_id, s.pass, s.sample, s.component, s.label, s.score, s.n_tokens, s.scorer
        ) AS one,
        hash(
            s.scorer, s.n_tokens, s.score, s.label, s.component, s.sample, s.pass, s.question_id, 'two'
        ) AS two
    FROM main.choice_score AS s
    WHERE s.run_id IN (SELECT id FROM merge_candidate)
),

rows_there AS (
    SELECT
        p.run_id,
        hash(q.id, p.pass, p.sample, p.text, p.failed) AS one,
        hash(p.failed, p.text, p.sample, p.pass, q.id, 'two') AS two
    FROM the_other.main.prediction AS p
    INNER JOIN merge_question AS q ON p.question_id = q.other_id
    WHERE p.run_id IN (SELECT other_id FROM merge_candidate)
    UNION ALL
    SELECT
        s.run_id,
        hash(q.id, s.pass, s.sample, s.component, s.label, s.score, s.n_tokens, s.scorer) AS one,
        hash(s.scorer, s.n_tokens, s.score, s.label, s.component, s.sample, s.pass, q.id, 'two') AS two
    FROM the_other.main.choice_score AS s
    INNER JOIN merge_question AS q ON s.question_id = q.other_id
    WHERE s.run_id IN (SELECT other_id FROM merge_candidate)
)

SELECT
    true AS is_here,
    run_id,
    count(*) AS n,
    sum(one) AS one,
    sum(two) AS two
FROM rows_here
GROUP BY run_id
UNION ALL
SELECT
    false AS is_here,
    run_id,
    count(*) AS n,
    sum(one) AS one,
    sum(two) AS two
FROM rows_there
GROUP BY run_id

-- name: map_runs
CREATE OR REPLACE TEMP TABLE merge_run AS
WITH equal AS (
    SELECT
        c.other_id,
        c.id,
        c.is_same_name,
        r.superseded_by IS NOT NULL OR r.retracted_at IS NOT NULL AS is_out
    FROM merge_candidate AS c
    INNER JOIN main.run AS r ON c.id = r.run_id
    LEFT JOIN merge_signed AS h ON h.is_here AND c.id = h.run_id
    LEFT JOIN merge_signed AS t ON NOT t.is_here AND c.other_id = t.run_id
    WHERE
        h.n IS NOT DISTINCT FROM t.n
        AND h.one IS NOT DISTINCT FROM t.one
        AND h.two IS NOT DISTINCT FROM t.two
),

same AS (
    SELECT
        other_id,
        -- Of the same name before one that had it, then one that counts before one that was taken out.
        arg_min(
            id, (NOT is_same_name)::INTEGER * 2e9 + is_out::INTEGER * 1e9 + id
        ) AS known_id
    FROM equal
    -- Who keeps two equal runs apart by their names means two.
    WHERE is_same_name OR id NOT IN (SELECT id FROM equal WHERE is_same_name)
    GROUP BY other_id
)

SELECT
    o.run_id AS other_id,
    coalesce(
        s.known_id,
        (SELECT coalesce(max(run_id), 0) FROM main.run)
        + row_number() OVER (PARTITION BY s.known_id IS NULL ORDER BY o.run_id)
    )::INTEGER AS id,
    s.known_id IS NULL AS is_new,
    m.id AS model_id,
    d.id AS dataset_id,
    o.label,
    o.superseded_by IS NULL AND o.retracted_at IS NULL AS is_live
FROM the_other.main.run AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id
INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
LEFT JOIN same AS s ON o.run_id = s.other_id

-- name: flags_with_runs
SELECT source_id, flags
FROM the_other.main.source
WHERE contains(flags, '"runs":')

-- name: runs_by_other_id
SELECT other_id, id
FROM merge_run

-- name: map_sources
CREATE OR REPLACE TEMP TABLE merge_source AS
WITH told AS (
    SELECT o.*, coalesce(f.flags, o.flags) AS mapped_flags
    FROM the_other.main.source AS o
    LEFT JOIN merge_flags AS f ON o.source_id = f.source_id
),

found AS (
    SELECT
        o.source_id AS other_id,
        any_value(o.mapped_flags) AS flags,
        min(m.source_id) AS known_id
    FROM told AS o
    LEFT JOIN main.source AS m
        ON
            o.path = m.path
            AND o.sha256 = m.sha256
            AND o.format = m.format
            AND o.adapter_version = m.adapter_version
            AND o.mapped_flags = m.flags
    GROUP BY o.source_id
)

SELECT
    other_id,
    flags,
    coalesce(
        known_id,
        (SELECT coalesce(max(source_id), 0) FROM main.source)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: map_subsets
CREATE OR REPLACE TEMP TABLE merge_subset AS
WITH here AS (
    SELECT
        s.subset_id,
        s.dataset_id,
        s.name,
        s.superseded_by IS NULL AS is_live,
        list_sort(list(q.question_id)) AS questions
    FROM main.dataset_subset AS s
    LEFT JOIN main.subset_question AS q ON s.subset_id = q.subset_id
    GROUP BY ALL
),

there AS (
    SELECT
        s.subset_id,
        d.id AS dataset_id,
        s.name,
        s.superseded_by IS NULL AS is_live,
        list_sort(list(m.id)) AS questions
    FROM the_other.main.dataset_subset AS s
    INNER JOIN merge_dataset AS d ON s.dataset_id = d.other_id
    LEFT JOIN the_other.main.subset_question AS q ON s.subset_id = q.subset_id
    LEFT JOIN merge_question AS m ON q.question_id = m.other_id
    GROUP BY ALL
),

found AS (
    SELECT
        t.subset_id AS other_id,
        t.dataset_id,
        t.name,
        t.is_live,
        min(h.subset_id) AS known_id
    FROM there AS t
    LEFT JOIN here AS h
        ON
            t.dataset_id = h.dataset_id
            AND t.name = h.name
            AND t.is_live = h.is_live
            AND t.questions = h.questions
    GROUP BY ALL
)

SELECT
    other_id,
    dataset_id,
    name,
    is_live,
    coalesce(
        known_id,
        (SELECT coalesce(max(subset_id), 0) FROM main.dataset_subset)
        + row_number() OVER (PARTITION BY known_id IS NULL ORDER BY other_id)
    )::INTEGER AS id,
    known_id IS NULL AS is_new
FROM found

-- name: is_same_payer
SELECT h.warehouse_uuid = t.warehouse_uuid
FROM main.warehouse_identity AS h
CROSS JOIN the_other.main.warehouse_identity AS t

-- name: columns
SELECT column_name
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main' AND table_name = $table
ORDER BY column_index

-- name: columns_of_sources
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    database_name = current_database()
    AND schema_name = 'main'
    AND column_name IN ('source_id', 'superseded_by')
    AND table_name <> 'source'
    AND list_contains($tables, table_name)
ORDER BY ALL

-- name: forget_dropped_sources
DELETE FROM main.dataset_source
WHERE
    source_id IN (SELECT id FROM merge_source WHERE is_new)
    AND source_id NOT IN (SELECT source_id FROM main.source)

-- name: tables
SELECT table_name
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT temporary
ORDER BY table_name

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
