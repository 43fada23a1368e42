-- The figures that harnesses wrote of runs, and ours of what they measure. A figure that a benchmark
-- declares under that name (see harness_name) is ours; else ours is the mean of our scores of the
-- answers that the harness scored under the metric, or the run's main figure where it kept no scores of
-- answers. One row per run and figure; where a harness scored answers and wrote no figure of them, the
-- mean of its scores stands for one.
-- @run The label of the run.
-- @dataset What the harness calls it, or the dataset here.
-- @metric What the harness calls the figure.
-- @filter What it calls the filter that the answers went through; NULL: none.
-- @published The number that the harness wrote.
-- @ours On the harness's scale; NULL: none, and reason says why.
-- @is_same Whether ours is the same, to 1e-9 or to the digits that were written.
-- @reason Why not, in words; NULL: they are the same.
-- @run_id The run; NULL: there is none of that name.
-- @our_dataset The dataset of our run.
-- @is_stated Whether the harness wrote the figure; else it is the mean of its scores.
-- @judge The judge of ours; NULL: that of each answer.
-- @harness_judge The judge that the harness names.
-- @reducer How the harness made one score of several samples.
-- @n_scored Answers that the harness scored under the metric; 0: it kept none.
-- @n_answers Answers of the run.
-- @n_differ How many of those scores differ from ours.
-- @n_unread How many answers no rule or judge of ours reads, where the harness read them.
-- @n_pending How many of those wait for a judge.
WITH stated AS (
    SELECT
        h.model_id,
        h.benchmark_id,
        h.task,
        h.label,
        h.judge,
        h.metric || coalesce(',' || h.filter, '') AS path,
        coalesce(nullif(regexp_extract('~' || h.metric || '~', '~([^|=~]+),[^,|=~]*~', 1), ''), h.metric) AS metric,
        coalesce(
            h.filter,
            nullif(
                nullif(regexp_extract('~' || h.metric || '~', '~[^|=~]+,([^,|=~]*)~', 1), ''), 'none'
            )
        ) AS filter,
        h.reducer,
        h.value,
        row_number() OVER (
            PARTITION BY h.model_id, h.task, h.label, h.judge, h.metric, h.filter, h.reducer
            -- The harness wrote its file anew: what was read last holds.
            ORDER BY s.ingested_at DESC, h.source_id DESC
        ) AS place
    FROM main.harness_figure AS h
    INNER JOIN main.source AS s ON h.source_id = s.source_id
),

-- Runs under the names that they were read with, which the harness's figures keep.
former_name AS (
    SELECT
        e.run_id,
        e.event,
        e.before,
        row_number() OVER (PARTITION BY e.run_id, e.event ORDER BY e.happened_at) AS place
    FROM main.run_event AS e
    WHERE e.event IN ('rename_run', 'rename_model')
),

named_run AS (
    SELECT
        r.run_id,
        m.name AS model,
        r.label AS run,
        d.name AS dataset,
        r.harness,
        s.path,
        coalesce(l.before, r.label) AS former_run,
        coalesce(f.before, m.name) AS former_model,
        count(*) OVER (
            PARTITION BY coalesce(f.before, m.name), coalesce(l.before, r.label)
        ) AS n_of_name
    FROM main.run AS r
    INNER JOIN main.model AS m ON r.model_id = m.model_id
    INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
    INNER JOIN main.source AS s ON r.source_id = s.source_id
    LEFT JOIN former_name AS l
        ON r.run_id = l.run_id AND l.event = 'rename_run' AND l.place = 1
    LEFT JOIN former_name AS f
        ON r.run_id = f.run_id AND f.event = 'rename_model' AND f.place = 1
    WHERE r.superseded_by IS NULL AND r.retracted_at IS NULL
),

published AS (
    SELECT
        s.task,
        s.label,
        s.judge,
        s.path,
        s.metric,
        s.filter,
        s.reducer,
        m.name AS model,
        metric_key(s.path) AS metric_key,
        as_number(s.value) AS published,
        length(regexp_extract(s.value || ' ', '[.]([0-9]+) ', 1)) AS n_digits
    FROM stated AS s
    INNER JOIN main.model AS m ON s.model_id = m.model_id
    WHERE s.place = 1
),

-- Several runs may have the label; harnesses write the task into a file's name.
named AS (
    SELECT
        p.*,
        r.run_id,
        r.run AS run_now,
        r.model AS model_now,
        r.dataset AS our_dataset,
        CASE
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
),

-- Of several names for a figure the later one, of the finest level, as VLMEvalKit writes one over the other.
declared AS (
    SELECT
        b.model,
        b.task,
        b.label,
        b.path,
        b.judge AS harness_judge,
        n.judge,
        n.score,
        n.figure,
        row_number() OVER (
            PARTITION BY b.model, b.task, b.label, b.path, b.judge
            ORDER BY
                CASE
                    WHEN n.judge = b.judge THEN 0
                    WHEN j.model = b.judge THEN 1
                    WHEN n.judge = 'none' THEN 2
                    ELSE 3
                END,
                n.judge,
                n.figure_ordinal DESC,
                n.ability_ordinal DESC
        ) AS place
    FROM bound AS b
    INNER JOIN harness_name AS n
        ON
            b.run_id = n.run_id
            AND b.fit IS NOT NULL
            AND array_length(list_filter(n.metrics, lambda x_: x_ = b.metric_key)) > 0
    LEFT JOIN main.judge AS j ON n.judge = j.name
),

main_figure AS (
    SELECT
        b.run_id,
        b.judge,
        b.score / nullif(d.scale, 0) AS share,
        b.n_pending,
        row_number() OVER (
            PARTITION BY b.run_id ORDER BY CASE b.judge WHEN 'none' THEN 0 ELSE 1 END, b.judge
        ) AS place
    FROM benchmark_score AS b
    INNER JOIN declared_figure AS d ON b.benchmark = d.benchmark AND b.figure_ordinal = d.ordinal
    WHERE b.figure_ordinal = 0 AND b.ability_id = 0
),

sample_sum AS (
    SELECT
        run_id,
        metric,
        filter,
        min(run) AS run,
        min(model) AS model,
        min(dataset) AS dataset,
        min(measure) AS measure,
        count(*) AS n_scored,
        count(published) AS n_numbers,
        count(ours) AS n_ours,
        avg(published) AS mean_there,
        avg(ours) AS mean_here,
        count(CASE WHEN NOT is_same THEN 1 END) AS n_differ,
        count(CASE WHEN is_unread THEN 1 END) AS n_unread,
        count(CASE WHEN resolved_by = 'pending' THEN 1 END) AS n_pending,
        -- All have the same reason, or there is none to name.
        CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason
    FROM harness_sample_difference
    GROUP BY run_id, metric, filter
),

answered AS (
    SELECT
        run_id,
        count(*) AS n_answers
    FROM (
        SELECT
            run_id,
            question_id,
            pass,
            sample
        FROM main.prediction
        WHERE run_id IN (SELECT run_id FROM main.harness_score)
        UNION
        SELECT
            run_id,
            question_id,
            pass,
            sample
        FROM main.choice_score
        WHERE run_id IN (SELECT run_id FROM main.harness_score)
    ) AS answers
    GROUP BY run_id
),

-- Where the harness wrote no figure of its scores, their mean stands for one.
figure AS (
    SELECT
        CASE WHEN b.n_runs > 0 THEN b.model_now END AS model_now,
        CASE WHEN b.n_runs > 0 THEN b.run_now END AS run_now,
        b.model,
        b.label,
        b.task,
        b.path,
        b.metric,
        b.filter,
        b.reducer,
        b.judge AS harness_judge,
        b.published,
        b.n_digits,
        CASE WHEN b.n_runs > 0 THEN b.our_dataset END AS our_dataset,
        b.n_runs,
        CASE WHEN b.n_runs = 1 THEN b.run_id END AS run_id,
        TRUE AS is_stated
    FROM bound AS b
    WHERE b.run_place = 1
    UNION ALL
    SELECT
        s.model AS model_now,
        s.run AS run_now,
        s.model,
        s.run AS label,
        s.dataset AS task,
        s.metric AS path,
        s.metric,
        s.filter,
        NULL AS reducer,
        NULL AS harness_judge,
        s.mean_there AS published,
        0 AS n_digits,
        s.dataset AS our_dataset,
        1 AS n_runs,
        s.run_id,
        FALSE AS is_stated
    FROM sample_sum AS s
    WHERE
        s.mean_there IS NOT NULL
        AND s.measure IS NOT NULL
        AND NOT EXISTS (
            SELECT 1
            FROM bound AS b
            WHERE
                s.run_id = b.run_id
                AND b.fit IS NOT NULL
                AND (
                    (s.metric = b.metric AND coalesce(s.filter, 'none') = coalesce(b.filter, s.filter, 'none'))
                    OR s.metric = b.filter
                )
        )
        -- What a person changed is a part of a figure, and no figure.
        AND NOT contains(coalesce(s.filter, ''), 'changed by ')
),

known AS (
    SELECT
        f.*,
        d.judge AS declared_judge,
        d.score AS declared_score,
        d.task IS NOT NULL AS is_declared,
        s.run_id IS NOT NULL AS has_scores,
        s.n_scored,
        s.n_numbers,
        s.n_ours,
        s.mean_there,
        s.mean_here,
        s.n_differ,
        s.n_unread,
        s.n_pending,
        s.reason AS sample_reason,
        a.n_answers,
        harness_measure(f.metric) AS measure,
        m.judge AS main_judge,
        m.share,
        m.n_pending AS main_pending,
        -- A share of 1, or percent.
        CASE WHEN f.published > 1.0 THEN 100.0 ELSE 1.0 END AS factor
    FROM figure AS f
    LEFT JOIN declared AS d
        ON
            f.model = d.model
            AND f.task = d.task
            AND f.label = d.label
            AND f.path = d.path
            AND coalesce(f.harness_judge, '') = coalesce(d.harness_judge, '')
            AND d.place = 1
    LEFT JOIN sample_sum AS s
        ON
            f.run_id = s.run_id
            AND (
                (f.metric = s.metric AND coalesce(f.filter, 'none') = coalesce(s.filter, f.filter, 'none'))
                -- Inspect's figures have their scorer in the place of a filter.
                OR (f.filter = s.metric AND s.filter IS NULL AND harness_measure(f.metric) = 'score')
            )
    LEFT JOIN answered AS a ON f.run_id = a.run_id
    LEFT JOIN main_figure AS m ON f.run_id = m.run_id AND m.place = 1
),

compared AS (
    SELECT
        *,
        CASE
            WHEN is_declared THEN declared_score
            WHEN measure IS NULL THEN NULL
            WHEN has_scores THEN CASE WHEN n_ours = n_scored THEN factor * mean_here END
            WHEN measure = 'score' THEN factor * share
        END AS ours,
        CASE
            WHEN n_digits BETWEEN 1 AND 6
                THEN CAST('0.' || repeat('0', n_digits) || '5' AS DOUBLE) + 0.000000001
            ELSE 0.000000001
        END AS tolerance
    FROM known
)

SELECT
    coalesce(run_now, label) AS run,
    task AS dataset,
    metric,
    filter,
    published,
    ours,
    coalesce(abs(ours - published) <= tolerance, FALSE) AS is_same,
    CASE
        WHEN coalesce(abs(ours - published) <= tolerance, FALSE) THEN NULL
        WHEN published IS NULL THEN 'the harness wrote no number'
        WHEN n_runs = 0 THEN 'no run here has that name: a group of tasks, or answers that were not read'
        WHEN measure IS NULL AND NOT is_declared THEN 'no figure of ours for this metric'
        WHEN ours IS NULL AND has_scores AND coalesce(n_pending, 0) > 0
            THEN CAST(n_pending AS VARCHAR) || ' of ' || CAST(n_scored AS VARCHAR) || ' answers wait for a judge'
        WHEN ours IS NULL AND is_declared AND sample_reason IS NOT NULL THEN sample_reason
        WHEN ours IS NULL AND is_declared THEN 'answers wait for a judge, or have no right answer here'
        WHEN ours IS NULL AND has_scores
            THEN
                coalesce(
                    sample_reason,
                    CAST(n_scored - n_ours AS VARCHAR)
                    || ' of '
                    || CAST(n_scored AS VARCHAR)
                    || ' samples have no score of ours'
                )
        WHEN ours IS NULL AND coalesce(main_pending, 0) > 0 AND measure = 'score'
            THEN CAST(main_pending AS VARCHAR) || ' answers wait for a judge'
        WHEN ours IS NULL AND n_runs > 1 THEN 'it is of several datasets here, and no figure of ours is of all'
        WHEN ours IS NULL THEN 'no figure of ours for this metric'
        WHEN has_scores AND n_numbers = 0 AND n_differ > 0
            THEN
                CAST(n_differ AS VARCHAR)
                || ' of '
                || CAST(n_scored AS VARCHAR)
                || ' samples are read otherwise or cannot be compared'
        WHEN has_scores AND n_differ > 0
            THEN
                CAST(n_differ AS VARCHAR)
                || ' of '
                || CAST(n_scored AS VARCHAR)
                || ' samples differ'
                || CASE
                    WHEN n_unread > 0 THEN '; no rule of ours reads ' || CAST(n_unread AS VARCHAR)
                    ELSE ''
                END
        WHEN has_scores AND n_scored < n_answers
            THEN
                'the harness scored '
                || CAST(n_scored AS VARCHAR)
                || ' of '
                || CAST(n_answers AS VARCHAR)
                || ' samples'
        WHEN has_scores
            THEN
                'all '
                || CAST(n_scored AS VARCHAR)
                || ' samples agree: the harness''s figure is another mean of them, or of others'
        ELSE 'the harness kept no scores of samples'
    END AS reason,
    coalesce(model_now, model) AS model,
    our_dataset,
    run_id,
    CASE WHEN is_declared THEN declared_judge WHEN has_scores THEN NULL ELSE main_judge END AS judge,
    harness_judge,
    reducer,
    is_stated,
    coalesce(n_scored, 0) AS n_scored,
    n_answers,
    n_differ,
    n_unread,
    n_pending
FROM compared
