-- From another warehouse, attached as the_other, into this one. Each merge_… table says under which
-- id a row of the other one is known here (`is_new`: it gets that id). Conflicts are texts.

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
-- A judge that counts there is never one that is retracted here, where nobody would see what she
-- said.
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

-- name: map_sources
CREATE OR REPLACE TEMP TABLE merge_source AS
WITH theirs AS (
    SELECT o.*, coalesce(f.flags, o.flags) AS mapped_flags
    FROM the_other.main.source AS o
    LEFT JOIN merge_flags AS f ON o.source_id = f.source_id
),

found AS (
    SELECT
        o.source_id AS other_id,
        any_value(o.mapped_flags) AS flags,
        min(m.source_id) AS known_id
    FROM theirs AS o
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
