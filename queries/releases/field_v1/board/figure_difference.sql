-- The figures that harnesses wrote, and ours of the same runs: one row per run and figure, of every
-- run, under the judge that the harness names; one without ours has NULLs. Scores that others
-- published of models are in published_difference, with these.
-- @run The label of the run.
-- @dataset What the harness calls it; several datasets here may be one of its own.
-- @metric The path to the figure in the harness's file, with its filter and reducer.
-- @published The number that was written.
-- @ours Scaled as the benchmark does; NULL: pending, or nothing here has that name.
-- @is_same Whether ours is the same, to 1e-9 or to the digits that were written.
-- @harness_judge The judge that the harness names.
-- @judge The judge of ours.
-- @our_dataset The dataset of our run.
-- @figure The benchmark's figure of that name.
-- @difference Ours less the published one.
WITH stated AS (
    SELECT
        h.model_id, h.benchmark_id, h.task, h.label, h.judge,
        h.metric || coalesce(',' || h.filter, '') || coalesce(',' || h.reducer, '') AS metric,
        h.value,
        row_number() OVER (
            PARTITION BY h.model_id, h.benchmark_id, h.task, h.label, h.metric, h.filter, h.reducer
            -- The harness wrote its file anew: what was read last holds.
            ORDER BY s.ingested_at DESC, h.source_id DESC
        ) AS place
    FROM main.harness_figure AS h
    INNER JOIN main.source AS s USING (source_id)
),

published AS (
    SELECT
        s.model_id, s.benchmark_id, m.name AS model, b.name AS benchmark, s.task, s.label, s.judge,
        s.metric, metric_key(s.metric) AS metric_key, as_number(s.value) AS published,
        length(regexp_extract(s.value || ' ', '[.]([0-9]+) ', 1)) AS n_digits
    FROM stated AS s
    INNER JOIN main.model AS m USING (model_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE s.place = 1
),

-- Runs under the names that they were read with, which the harness's figures keep.
former_name AS (
    SELECT
        e.run_id, e.event, e.before,
        row_number() OVER (PARTITION BY e.run_id, e.event ORDER BY e.happened_at) AS place
    FROM main.run_event AS e
    WHERE e.event IN ('rename_run', 'rename_model')
),

named_run AS (
    SELECT
        r.run_id, r.dataset_id, r.source_id, r.label AS label_now, m.name AS model_now,
        coalesce(l.before, r.label) AS label, coalesce(f.before, m.name) AS model
    FROM main.run AS r
    INNER JOIN main.model AS m USING (model_id)
    LEFT JOIN former_name AS l
        ON r.run_id = l.run_id AND l.event = 'rename_run' AND l.place = 1
    LEFT JOIN former_name AS f
        ON r.run_id = f.run_id AND f.event = 'rename_model' AND f.place = 1
    WHERE r.superseded_by IS NULL AND r.retracted_at IS NULL
),

-- The runs whose files the harness named after the same task.
graded AS (
    SELECT p.*, r.run_id, r.label_now, r.model_now
    FROM published AS p
    INNER JOIN named_run AS r USING (model, label)
    INNER JOIN main.dataset AS d USING (dataset_id, benchmark_id)
    INNER JOIN main.source AS s
        ON r.source_id = s.source_id AND contains(s.path, '_' || p.task || '.')
),

ours AS (
    SELECT
        g.model_id, g.benchmark_id, g.task, g.label, g.metric, g.run_id, g.label_now, g.model_now,
        n.judge, n.dataset AS our_dataset, n.figure, n.level, n.ability, n.score,
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
                n.judge, n.figure_ordinal DESC, n.ability_ordinal DESC
        ) AS place
    FROM graded AS g
    INNER JOIN harness_name AS n
        ON g.run_id = n.run_id AND array_length(list_filter(n.metrics, lambda x_: x_ = g.metric_key)) > 0
    LEFT JOIN main.judge AS j ON n.judge = j.name
)

SELECT
    coalesce(o.model_now, p.model) AS model, coalesce(o.label_now, p.label) AS run,
    p.task AS dataset, p.metric, p.published, o.score AS ours,
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
    p.benchmark, o.level, o.ability, a.abbreviation, a.ordinal AS ability_ordinal, o.our_dataset,
    o.run_id, o.judge, o.score - p.published AS difference, p.judge AS harness_judge, o.figure
FROM published AS p
LEFT JOIN ours AS o
    ON
        p.model_id = o.model_id
        AND p.benchmark_id = o.benchmark_id
        AND p.task = o.task
        AND p.label = o.label
        AND p.metric = o.metric
        AND o.place = 1
LEFT JOIN ability_tree AS a
    ON p.benchmark_id = a.benchmark_id AND o.level = a.level AND o.ability = a.ability
