-- The figures that a harness wrote of its runs, and ours of the same run under the same judge. One
-- row per run and figure of the harness, of every run; one without ours has NULLs.
-- @dataset What the harness calls it; several datasets here may be one of its own.
-- @metric The path to the figure in the harness's file.
-- @published As the harness wrote it.
-- @ours Scaled as the benchmark does; NULL: pending, or nothing here has that name.
-- @is_same Whether ours is the harness's, to 1e-9 or to the digits that it wrote.
-- @harness_judge The judge that the harness names.
-- @judge The judge of ours.
-- @difference Ours less the published one.
WITH stated AS (
    SELECT
        h.model_id,
        h.benchmark_id,
        h.task,
        h.label,
        h.judge,
        h.metric,
        h.value,
        row_number() OVER (
            PARTITION BY h.model_id, h.benchmark_id, h.task, h.label, h.metric
            ORDER BY h.source_id DESC
        ) AS place
    FROM main.harness_figure AS h
),

published AS (
    SELECT
        s.model_id,
        s.benchmark_id,
        m.name AS model,
        b.name AS benchmark,
        s.task,
        s.label,
        s.judge,
        s.metric,
        metric_key(s.metric) AS metric_key,
        as_number(s.value) AS published,
        length(regexp_extract(s.value || ' ', '[.]([0-9]+) ', 1)) AS n_digits
    FROM stated AS s
    INNER JOIN main.model AS m ON s.model_id = m.model_id
    INNER JOIN main.benchmark AS b ON s.benchmark_id = b.benchmark_id
    WHERE s.place = 1
),

-- The runs whose files the harness named after the same task.
graded AS (
    SELECT
        p.*,
        r.run_id
    FROM published AS p
    INNER JOIN main.run AS r
        ON
            p.model_id = r.model_id
            AND p.label = r.label
            AND r.superseded_by IS NULL
            AND r.retracted_at IS NULL
    INNER JOIN main.dataset AS d
        ON r.dataset_id = d.dataset_id AND p.benchmark_id = d.benchmark_id
    INNER JOIN main.source AS s
        ON r.source_id = s.source_id AND contains(s.path, '_' || p.task || '.')
),

ours AS (
    SELECT
        g.model_id,
        g.benchmark_id,
        g.task,
        g.label,
        g.metric,
        n.judge,
        n.dataset AS our_dataset,
        n.figure,
        n.level,
        n.ability,
        n.score,
        row_number() OVER (
            PARTITION BY g.model_id, g.benchmark_id, g.task, g.label, g.metric
            -- The same name for several: the later figure, of the finest level, as VLMEvalKit writes one
            -- over the other.
            ORDER BY
                CASE
                    WHEN n.judge = g.judge THEN 0
                    WHEN j.model = g.judge THEN 1
                    WHEN n.judge = 'none' THEN 2
                    ELSE 3
                END,
                n.judge,
                n.figure_ordinal DESC,
                n.ability_ordinal DESC
        ) AS place
    FROM graded AS g
    INNER JOIN harness_name AS n
        ON g.run_id = n.run_id AND array_length(list_filter(n.metrics, lambda x_: x_ = g.metric_key)) > 0
    LEFT JOIN main.judge AS j ON n.judge = j.name
)

SELECT
    p.model,
    p.label AS run,
    p.task AS dataset,
    p.metric,
    p.published,
    o.score AS ours,
    -- The last bits depend on the order in which an engine adds up.
    coalesce(
        abs(o.score - p.published)
        <= CASE
            WHEN p.n_digits BETWEEN 1 AND 6
                THEN CAST('0.' || repeat('0', p.n_digits) || '5' AS DOUBLE) + 0.000000001
            ELSE 0.000000001
        END,
        FALSE
    ) AS is_same,
    p.judge AS harness_judge,
    o.judge,
    p.benchmark,
    o.our_dataset,
    o.figure,
    o.level,
    o.ability,
    o.score - p.published AS difference
FROM published AS p
LEFT JOIN ours AS o
    ON
        p.model_id = o.model_id
        AND p.benchmark_id = o.benchmark_id
        AND p.task = o.task
        AND p.label = o.label
        AND p.metric = o.metric
        AND o.place = 1
