-- The figures that harnesses wrote of runs, and the runs here that they are of: by the label, and
-- by the task in the file's name where several runs have the label. One row per figure and run of
-- that name.
-- @internal
-- @path The metric with its filter, as the harness wrote it.
-- @metric What the harness calls the figure.
-- @filter What it calls the filter that the answers went through; NULL: none.
-- @reducer How the harness made one score of several samples.
-- @label The run's label in the harness's files.
-- @source_id The file that has the figure, as in main.source.
-- @published The number that the harness wrote.
-- @model_now The model's name now.
-- @our_dataset The dataset of the run.
-- @measured The metric without the split that HELM writes before it; the run is of that split then.
-- @is_part Whether it is of a part of the run's questions, as its name says (see is_part_figure).
-- @metric_key Its name as harness_name has it.
-- @n_digits Digits after the point that were written.
-- @run_now The run's label now; the harness's is label.
-- @fit How surely the run is the figure's: 0 best; NULL: it only has the name.
-- @n_runs Runs that are the figure's.
-- @run_place Which of them; 1 is the first.
WITH stated AS (
    SELECT
        h.model_id, h.benchmark_id, h.task, h.label, h.judge,
        h.metric || coalesce(',' || h.filter, '') AS path,
        coalesce(nullif(regexp_extract('~' || h.metric || '~', '~([^|=~]+),[^,|=~]*~', 1), ''), h.metric) AS metric,
        coalesce(
            nullif(regexp_extract('~' || h.metric || '~', '~split=[^|]*[|]([^~]*)~', 1), ''), h.metric
        ) AS in_split,
        coalesce(
            h.filter,
            nullif(
                nullif(regexp_extract('~' || h.metric || '~', '~[^|=~]+,([^,|=~]*)~', 1), ''), 'none'
            )
        ) AS filter,
        h.reducer, h.value, h.source_id,
        row_number() OVER (
            PARTITION BY h.model_id, h.task, h.label, h.judge, h.metric, h.filter, h.reducer
            -- The harness wrote its file anew: what was read last holds.
            ORDER BY s.ingested_at DESC, h.source_id DESC
        ) AS place
    FROM main.harness_figure AS h
    INNER JOIN main.source AS s USING (source_id)
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
        r.run_id, m.name AS model, r.label AS run, d.name AS dataset, d.split, r.harness, s.path,
        coalesce(l.before, r.label) AS former_run, coalesce(f.before, m.name) AS former_model,
        count(*) OVER (
            PARTITION BY coalesce(f.before, m.name), coalesce(l.before, r.label)
        ) AS n_of_name
    FROM main.run AS r
    INNER JOIN main.model AS m USING (model_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.source AS s ON r.source_id = s.source_id
    LEFT JOIN former_name AS l
        ON r.run_id = l.run_id AND l.event = 'rename_run' AND l.place = 1
    LEFT JOIN former_name AS f
        ON r.run_id = f.run_id AND f.event = 'rename_model' AND f.place = 1
    WHERE r.superseded_by IS NULL AND r.retracted_at IS NULL
),

published AS (
    SELECT
        s.task, s.label, s.judge, s.path, s.metric, s.in_split, s.filter, s.reducer, s.source_id,
        m.name AS model, metric_key(s.path) AS metric_key, as_number(s.value) AS published,
        length(regexp_extract(s.value || ' ', '[.]([0-9]+) ', 1)) AS n_digits
    FROM stated AS s
    INNER JOIN main.model AS m USING (model_id)
    WHERE s.place = 1
),

-- Several runs may have the label; harnesses write the task into a file's name.
named AS (
    SELECT
        p.*,
        CASE WHEN r.harness = 'helm' THEN p.in_split ELSE p.metric END AS measured,
        r.run_id, r.run AS run_now, r.model AS model_now, r.dataset AS our_dataset,
        -- Other harnesses write the scores of a part's answers next to it, but none of a worst case.
        coalesce(
            (r.harness = 'vlmevalkit' AND is_part_figure(p.metric, r.split))
            OR regexp_matches(python_lower(p.metric), 'worst[ _-]?case'),
            FALSE
        ) AS is_part,
        CASE
            WHEN r.harness = 'helm' AND p.metric = 'split=' || r.split || '|' || p.in_split THEN 0
            WHEN contains(r.path, '_' || p.task || '.') THEN 0
            WHEN contains(r.path, '_' || p.task || '_20') THEN 1
            WHEN r.n_of_name = 1 AND (contains(r.run, p.task) OR r.harness = 'inspect') THEN 2
            WHEN
                contains(r.path, '_' || p.task || '_')
                OR contains(r.path, '_' || replace(p.task, '_', '-') || '_')
                THEN 3
        END AS fit
    FROM published AS p
    LEFT JOIN named_run AS r ON p.model = r.former_model AND p.label = r.former_run
),

fitting AS (
    SELECT
        *,
        min(fit) OVER (
            PARTITION BY model, task, label, judge, path, filter, reducer
        ) AS best_fit
    FROM named
),

bound AS (
    SELECT
        *,
        count(CASE WHEN fit IS NOT NULL THEN 1 END) OVER (
            PARTITION BY model, task, label, judge, path, filter, reducer
        ) AS n_runs,
        row_number() OVER (
            PARTITION BY model, task, label, judge, path, filter, reducer ORDER BY run_id
        ) AS run_place
    FROM fitting
    WHERE fit = best_fit OR best_fit IS NULL
)

SELECT
    model, task, label, judge, path, metric, measured, filter, reducer, source_id, is_part,
    metric_key, published, n_digits, run_id, run_now, model_now, our_dataset, fit, n_runs, run_place
FROM bound
