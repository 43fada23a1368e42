-- The rows of another warehouse, attached as the_other, by table: their ids there, and under which
-- id a row is known here; NULL: it is not. `number` in merge.sql makes the tables merge_… of them.

-- name: benchmark
SELECT o.benchmark_id AS other_id, min(m.benchmark_id) AS known_id
FROM the_other.main.benchmark AS o
LEFT JOIN main.benchmark AS m ON lower(o.name) = lower(m.name)
GROUP BY o.benchmark_id

-- name: ability
SELECT o.ability_id AS other_id, min(m.ability_id) AS known_id
FROM the_other.main.ability AS o
INNER JOIN merge_benchmark AS b ON o.benchmark_id = b.other_id
LEFT JOIN main.ability AS m
    ON b.id = m.benchmark_id AND o.level = m.level AND lower(o.name) = lower(m.name)
GROUP BY o.ability_id

-- name: dataset
WITH pairs AS (
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
    *,
    EXISTS (
        SELECT 1 FROM main.dataset_source AS s WHERE s.dataset_id = known_id AND s.role = 'questions'
    ) AS is_complete,
    EXISTS (
        SELECT 1
        FROM the_other.main.dataset_source AS s
        WHERE s.dataset_id = other_id AND s.role = 'questions'
    ) AS is_complete_there
FROM pairs

-- name: question
-- Those that were dropped too: their answers come with their runs.
WITH here AS (
    SELECT question_id, dataset_id, question_key, text FROM main.question
    UNION ALL
    SELECT question_id, dataset_id, question_key, text FROM main.dropped_question WHERE restored_by IS NULL
),

there AS (
    SELECT question_id, dataset_id, question_key, text FROM the_other.main.question
    UNION ALL
    SELECT question_id, dataset_id, question_key, text
    FROM the_other.main.dropped_question
    WHERE restored_by IS NULL
)

SELECT
    o.question_id AS other_id, d.id AS dataset_id, min(m.question_id) AS known_id,
    -- Known here by its id alone, with assumed choices; the other one has its texts.
    coalesce(bool_or(m.text = '' AND o.text <> ''), false) AS is_completed
FROM there AS o
INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
LEFT JOIN here AS m ON d.id = m.dataset_id AND o.question_key = m.question_key
GROUP BY o.question_id, d.id

-- name: model
WITH here AS (
    SELECT model_id, name FROM main.model
    UNION
    SELECT model_id, alias AS name FROM main.model_alias
),

there AS (
    SELECT model_id, name FROM the_other.main.model
    UNION
    SELECT model_id, alias AS name FROM the_other.main.model_alias
)

SELECT t.model_id AS other_id, min(h.model_id) AS known_id, count(DISTINCT h.model_id) AS n_known
FROM there AS t
LEFT JOIN here AS h ON t.name = h.name
GROUP BY t.model_id

-- name: judge
-- A judge that counts there is never one that is retracted here, where nobody would see what she
-- said.
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

-- name: run
-- After the statements of merge_runs.sql.
WITH equal AS (
    SELECT
        c.other_id, c.id, c.is_same_name,
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

-- What they answered is a part of what the run of that name has here.
contained AS (
    SELECT DISTINCT c.other_id, c.id
    FROM merge_candidate AS c
    INNER JOIN merge_overlap AS v ON c.other_id = v.other_id AND c.id = v.id
    INNER JOIN main.run AS r ON c.id = r.run_id
    WHERE
        c.is_same_name
        AND r.superseded_by IS NULL
        AND r.retracted_at IS NULL
        AND v.n_there > 0
        AND v.n_same = v.n_there
        AND c.other_id NOT IN (SELECT other_id FROM equal)
),

same AS (
    SELECT
        other_id,
        -- Of the same name before one that had it, then one that counts before one that was taken
        -- out.
        arg_min(
            id, (NOT is_same_name)::INTEGER * 2e9 + is_out::INTEGER * 1e9 + id
        ) AS known_id
    FROM equal
    -- Who keeps two equal runs apart by their names means two.
    WHERE is_same_name OR id NOT IN (SELECT id FROM equal WHERE is_same_name)
    GROUP BY other_id
    UNION ALL
    SELECT other_id, id AS known_id FROM contained
)

SELECT
    o.run_id AS other_id, s.known_id, m.id AS model_id, d.id AS dataset_id, o.label,
    o.superseded_by IS NULL AND o.retracted_at IS NULL AS is_live
FROM the_other.main.run AS o
INNER JOIN merge_model AS m ON o.model_id = m.other_id
INNER JOIN merge_dataset AS d ON o.dataset_id = d.other_id
LEFT JOIN same AS s ON o.run_id = s.other_id

-- name: source
WITH theirs AS (
    SELECT o.*, coalesce(f.flags, o.flags) AS mapped_flags
    FROM the_other.main.source AS o
    LEFT JOIN merge_flags AS f ON o.source_id = f.source_id
)

SELECT o.source_id AS other_id, any_value(o.mapped_flags) AS flags, min(m.source_id) AS known_id
FROM theirs AS o
LEFT JOIN main.source AS m
    ON
        o.path = m.path
        AND o.sha256 = m.sha256
        AND o.format = m.format
        AND o.adapter_version = m.adapter_version
        AND o.mapped_flags = m.flags
GROUP BY o.source_id

-- name: dataset_subset
WITH here AS (
    SELECT
        s.subset_id, s.dataset_id, s.name, s.superseded_by IS NULL AS is_live,
        list_sort(list(q.question_id)) AS questions
    FROM main.dataset_subset AS s
    LEFT JOIN main.subset_question AS q ON s.subset_id = q.subset_id
    GROUP BY ALL
),

there AS (
    SELECT
        s.subset_id, d.id AS dataset_id, s.name, s.superseded_by IS NULL AS is_live,
        list_sort(list(m.id)) AS questions
    FROM the_other.main.dataset_subset AS s
    INNER JOIN merge_dataset AS d ON s.dataset_id = d.other_id
    LEFT JOIN the_other.main.subset_question AS q ON s.subset_id = q.subset_id
    LEFT JOIN merge_question AS m ON q.question_id = m.other_id
    GROUP BY ALL
)

SELECT t.subset_id AS other_id, t.dataset_id, t.name, t.is_live, min(h.subset_id) AS known_id
FROM there AS t
LEFT JOIN here AS h
    ON
        t.dataset_id = h.dataset_id
        AND t.name = h.name
        AND t.is_live = h.is_live
        AND t.questions = h.questions
GROUP BY ALL

-- name: label_plan
-- Known by its source, whose hash is of what was drawn from, by name.
SELECT o.plan_id AS other_id, min(m.plan_id) AS known_id
FROM the_other.main.label_plan AS o
INNER JOIN merge_source AS s ON o.source_id = s.other_id
LEFT JOIN main.label_plan AS m ON s.id = m.source_id
GROUP BY o.plan_id
