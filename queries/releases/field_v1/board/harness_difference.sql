-- The figures that harnesses wrote of runs, and ours of what they measure. A figure that a
-- benchmark declares under that name (see harness_name) is ours; else ours is the mean of our
-- scores of the answers that the harness scored under the metric, or the run's main figure where it
-- kept no scores of answers. What a harness's scorer read is a judgment here, and ours is then
-- under that judge; note says what rules alone make of the answers. One row per run and figure;
-- where a harness scored answers and wrote no figure of them, the mean of its scores stands for
-- one.
-- @run The label of the run.
-- @dataset What the harness calls it, or the dataset here.
-- @metric What the harness calls the figure.
-- @filter What it calls the filter that the answers went through; NULL: none.
-- @published The number that the harness wrote.
-- @ours On the harness's scale; NULL: none, and reason says why.
-- @is_same Whether ours is the same, to 1e-9 or to the digits that were written.
-- @reason Why not, in words; NULL: they are the same.
-- @reason_kind The reason in one word, from a closed list; NULL: they are the same.
--   nothing_of_ours: nothing here measures what the metric does.
-- @by_rules Ours by the benchmark's rules alone, where ours is under the judge that the harness's
--   scorer is here, or by the scorer's rule.
-- @note What rules alone make of the answers, where that is not the same; NULL: nothing to say.
-- @run_id The run; NULL: there is none of that name.
-- @our_dataset The dataset of our run.
-- @is_stated Whether the harness wrote the figure; else it is the mean of its scores.
-- @judge The judge of ours; NULL: answers have several.
-- @harness_judge The judge that the harness names.
-- @reducer How the harness made one score of several samples.
-- @n_scored Answers that the harness scored under the metric; 0: it kept none.
-- @n_answers Answers of the run.
-- @n_differ How many of those scores differ from ours.
-- @n_unread How many answers no rule of ours reads, and no judge but the harness's own, where the
--   harness read them.
-- @n_pending How many of those wait for a judge.
WITH bound AS (
    SELECT *
    FROM harness_bound
),

-- Of several names for a figure the later one, of the finest level, as VLMEvalKit writes one over
-- the other.
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

-- Under the judge that the harness names, where it is one here.
main_figure AS (
    SELECT
        b.run_id,
        h.judge AS harness_judge,
        b.judge,
        b.score / nullif(d.scale, 0) AS share,
        b.n_pending,
        row_number() OVER (
            PARTITION BY b.run_id, h.judge
            ORDER BY CASE b.judge WHEN h.judge THEN 0 WHEN 'none' THEN 1 ELSE 2 END, b.judge
        ) AS place
    FROM (SELECT DISTINCT run_id, judge FROM bound) AS h
    INNER JOIN benchmark_score AS b ON h.run_id = b.run_id
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
        count(CASE WHEN NOT is_same AND read_there = '' AND read_here IS NOT NULL THEN 1 END) AS n_read_here_alone,
        CASE WHEN min(judge) = max(judge) THEN min(judge) END AS judge,
        count(by_rules) AS n_by_rules,
        count(scorer_rule) AS n_by_scorer,
        avg(by_rules) AS mean_by_rules,
        count(CASE WHEN abs(by_rules - ours) > 0.000001 THEN 1 END) AS n_ruled_otherwise,
        count(CASE WHEN resolved_by = 'pending' THEN 1 END) AS n_pending,
        -- All have the same reason, or there is none to name.
        CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason,
        CASE WHEN min(reason_kind) = max(reason_kind) THEN min(reason_kind) END AS reason_kind
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
        b.measured,
        b.filter,
        b.reducer,
        b.source_id,
        b.judge AS harness_judge,
        b.published,
        b.n_digits,
        CASE WHEN b.n_runs > 0 THEN b.our_dataset END AS our_dataset,
        b.n_runs,
        CASE WHEN b.n_runs = 1 THEN b.run_id END AS run_id,
        -- The mean of all samples, or of all groups, is no group's.
        substr(b.metric, 1, 8) = 'grouped|'
        AND regexp_extract(b.metric || '~', '[|](all[0-9]*)~', 1) = '' AS is_of_group,
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
        s.metric AS measured,
        s.filter,
        NULL AS reducer,
        NULL AS source_id,
        NULL AS harness_judge,
        s.mean_there AS published,
        0 AS n_digits,
        s.dataset AS our_dataset,
        1 AS n_runs,
        s.run_id,
        FALSE AS is_of_group,
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
                    (s.metric = b.measured AND coalesce(s.filter, 'none') = coalesce(b.filter, s.filter, 'none'))
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
        CASE WHEN f.is_of_group THEN g.n_scored ELSE s.n_scored END AS n_scored,
        s.n_numbers,
        s.n_ours,
        s.mean_there,
        s.mean_here,
        CASE WHEN f.is_of_group THEN g.n_differ ELSE s.n_differ END AS n_differ,
        g.ours AS of_group,
        s.n_unread,
        CASE WHEN NOT f.is_of_group THEN s.n_read_here_alone END AS n_read_here_alone,
        s.n_pending,
        s.reason AS sample_reason,
        s.reason_kind AS sample_reason_kind,
        s.judge AS sample_judge,
        CASE WHEN NOT f.is_of_group THEN s.n_by_rules END AS n_by_rules,
        s.n_by_scorer,
        s.mean_by_rules,
        CASE WHEN NOT f.is_of_group THEN s.n_ruled_otherwise END AS n_ruled_otherwise,
        r.run_id IS NOT NULL AS is_reduced,
        coalesce(r.is_known, FALSE) AS is_known_reducer,
        r.ours AS reduced,
        a.n_answers,
        CASE
            WHEN harness_measure(f.measured) <> 'log_likelihood' OR s.n_ours > 0
                THEN harness_measure(f.measured)
        END AS measure,
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
                (f.measured = s.metric AND coalesce(f.filter, 'none') = coalesce(s.filter, f.filter, 'none'))
                -- Inspect's figures have their scorer in the place of a filter.
                OR (f.filter = s.metric AND s.filter IS NULL AND harness_measure(f.measured) = 'score')
            )
    LEFT JOIN harness_reduction AS r
        ON f.run_id = r.run_id AND f.filter = r.metric AND f.reducer = r.reducer
    LEFT JOIN harness_group AS g ON f.run_id = g.run_id AND f.filter = g.metric AND f.metric = g.figure
    LEFT JOIN answered AS a ON f.run_id = a.run_id
    LEFT JOIN main_figure AS m
        ON
            f.run_id = m.run_id
            AND coalesce(f.harness_judge, '') = coalesce(m.harness_judge, '')
            AND m.place = 1
),

compared AS (
    SELECT
        *,
        CASE
            WHEN is_declared THEN declared_score
            WHEN measure IS NULL THEN NULL
            WHEN is_of_group THEN CASE WHEN coalesce(reducer, 'mean') = 'mean' THEN factor * of_group END
            WHEN is_reduced THEN factor * reduced
            WHEN has_scores AND n_ours < n_scored THEN NULL
            WHEN measure = 'log_likelihood' THEN exp(-mean_here)
            WHEN has_scores THEN factor * mean_here
            WHEN measure = 'score' THEN factor * share
        END AS ours_of_run,
        CASE
            WHEN n_digits BETWEEN 1 AND 6
                THEN CAST('0.' || repeat('0', n_digits) || '5' AS DOUBLE) + 0.000000001
            ELSE 0.000000001
        END AS tolerance
    FROM known
),

-- lm-evaluation-harness's groups of tasks, and the tasks with the number of their documents:
-- first:10|second:14.
group_of_tasks AS (
    SELECT
        c.source_id,
        c.task,
        c.path,
        '|' || split_part(
            substr(
                split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2),
                strpos(split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2), '"' || c.task || '": "')
                + length(c.task)
                + 5
            ),
            '"',
            1
        ) AS tasks
    FROM compared AS c
    INNER JOIN main.source AS s ON c.source_id = s.source_id
    WHERE
        c.n_runs = 0
        AND contains(split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2), '"' || c.task || '": "')
),

task_of_group AS (
    SELECT
        g.source_id,
        g.task,
        g.path,
        c.published,
        c.ours_of_run,
        length(g.tasks) - length(replace(g.tasks, '|', '')) AS n_tasks,
        as_number(
            split_part(substr(g.tasks, strpos(g.tasks, '|' || c.task || ':') + length(c.task) + 2), '|', 1)
        ) AS n_documents
    FROM group_of_tasks AS g
    INNER JOIN compared AS c
        ON g.source_id = c.source_id AND g.path = c.path AND contains(g.tasks, '|' || c.task || ':')
),

group_mean AS (
    SELECT
        source_id,
        task,
        path,
        max(n_tasks) AS n_tasks,
        count(*) AS n_there,
        count(ours_of_run) AS n_tasks_here,
        sum(n_documents * published) / sum(n_documents) AS weighted_there,
        avg(published) AS mean_there,
        sum(n_documents * ours_of_run) / sum(n_documents) AS weighted_here,
        avg(ours_of_run) AS mean_here
    FROM task_of_group
    GROUP BY source_id, task, path
),

-- A group is summed up as the harness's own figures of its tasks are: by documents, or each task
-- alike.
completed AS (
    SELECT
        c.*,
        g.n_tasks,
        g.n_tasks_here,
        CASE
            WHEN c.ours_of_run IS NOT NULL THEN c.ours_of_run
            WHEN g.n_tasks_here < g.n_tasks THEN NULL
            WHEN abs(g.weighted_there - c.published) <= 0.000000001 THEN g.weighted_here
            WHEN abs(g.mean_there - c.published) <= 0.000000001 THEN g.mean_here
        END AS ours
    FROM compared AS c
    LEFT JOIN group_mean AS g ON c.source_id = g.source_id AND c.task = g.task AND c.path = g.path
),

matched AS (
    SELECT
        *,
        coalesce(abs(ours - published) <= tolerance, FALSE) AS is_same
    FROM completed
),

-- The words of reason_kind; reason says the same in a sentence.
explained AS (
    SELECT
        *,
        CASE
            WHEN is_same THEN NULL
            WHEN published IS NULL THEN 'no_number'
            WHEN n_runs = 0 AND ours IS NOT NULL THEN 'tasks_differ'
            WHEN n_runs = 0 THEN 'no_run'
            WHEN measure IS NULL AND NOT is_declared THEN 'nothing_of_ours'
            WHEN ours IS NULL AND has_scores AND coalesce(n_pending, 0) > 0 THEN 'pending'
            WHEN ours IS NULL AND is_reduced AND NOT is_known_reducer THEN 'other_reducer'
            WHEN ours IS NULL AND is_of_group AND reducer <> 'mean' THEN 'other_reducer'
            WHEN ours IS NULL AND is_of_group AND n_scored IS NULL THEN 'no_group'
            WHEN ours IS NULL AND (is_declared OR has_scores) THEN coalesce(sample_reason_kind, 'no_score')
            WHEN ours IS NULL AND coalesce(main_pending, 0) > 0 AND measure = 'score' THEN 'pending'
            WHEN ours IS NULL AND n_runs > 1 THEN 'several_datasets'
            WHEN ours IS NULL THEN 'nothing_of_ours'
            WHEN has_scores AND n_numbers = 0 AND n_differ > 0 THEN 'read_otherwise'
            WHEN has_scores AND n_differ > 0 THEN 'samples_differ'
            WHEN has_scores AND NOT is_of_group AND n_scored < n_answers THEN 'part_scored'
            WHEN has_scores THEN 'another_mean'
            ELSE 'no_sample_scores'
        END AS reason_kind
    FROM matched
)

SELECT
    coalesce(run_now, label) AS run,
    task AS dataset,
    metric,
    filter,
    published,
    ours,
    is_same,
    CASE
        WHEN is_same THEN NULL
        WHEN reason_kind = 'no_number' AND published IS NULL THEN 'the harness wrote no number'
        WHEN reason_kind = 'tasks_differ'
            THEN 'a group of ' || CAST(n_tasks AS VARCHAR) || ' tasks, whose figures differ'
        WHEN reason_kind = 'no_run' AND n_tasks_here < n_tasks
            THEN
                'a group of '
                || CAST(n_tasks AS VARCHAR)
                || ' tasks, of which '
                || CAST(n_tasks_here AS VARCHAR)
                || ' have a figure of ours'
        WHEN reason_kind = 'no_run' AND n_tasks IS NOT NULL
            THEN 'a group of ' || CAST(n_tasks AS VARCHAR) || ' tasks, and another mean of them'
        WHEN reason_kind = 'no_run'
            THEN 'no run here has that name: a group of tasks, or answers that were not read'
        WHEN reason_kind = 'nothing_of_ours' THEN 'no figure of ours for this metric'
        WHEN reason_kind = 'pending' AND has_scores
            THEN CAST(n_pending AS VARCHAR) || ' of ' || CAST(n_scored AS VARCHAR) || ' answers wait for a judge'
        WHEN reason_kind = 'pending' THEN CAST(main_pending AS VARCHAR) || ' answers wait for a judge'
        WHEN reason_kind = 'other_reducer' THEN 'the reducer ' || reducer || ' is not computed here'
        WHEN reason_kind = 'no_group' THEN 'which samples are of the group is not known here'
        WHEN ours IS NULL AND sample_reason IS NOT NULL THEN sample_reason
        WHEN ours IS NULL AND is_declared THEN 'answers wait for a judge, or have no right answer here'
        WHEN ours IS NULL AND has_scores
            THEN
                CAST(n_scored - n_ours AS VARCHAR) || ' of ' || CAST(n_scored AS VARCHAR)
                || ' samples have no score of ours'
        WHEN reason_kind = 'several_datasets'
            THEN 'it is of several datasets here, and no figure of ours is of all'
        WHEN reason_kind = 'read_otherwise'
            THEN
                CAST(n_differ AS VARCHAR) || ' of ' || CAST(n_scored AS VARCHAR)
                || ' samples are read otherwise or cannot be compared'
        WHEN reason_kind = 'samples_differ'
            THEN
                CAST(n_differ AS VARCHAR) || ' of ' || CAST(n_scored AS VARCHAR) || ' samples differ'
                || CASE
                    WHEN n_unread > 0 THEN '; no rule of ours reads ' || CAST(n_unread AS VARCHAR)
                    WHEN n_read_here_alone > 0
                        THEN '; the harness read nothing in ' || CAST(n_read_here_alone AS VARCHAR)
                    ELSE ''
                END
        WHEN reason_kind = 'part_scored'
            THEN
                'the harness scored '
                || CAST(n_scored AS VARCHAR)
                || ' of '
                || CAST(n_answers AS VARCHAR)
                || ' samples'
        WHEN reason_kind = 'another_mean'
            THEN
                'all '
                || CAST(n_scored AS VARCHAR)
                || ' samples agree: the harness''s figure is another mean of them, or of others'
        WHEN reason_kind = 'no_sample_scores' THEN 'the harness kept no scores of samples'
    END AS reason,
    reason_kind,
    CASE WHEN n_by_rules = n_scored AND (NOT is_reduced OR reducer = 'mean') THEN factor * mean_by_rules END
        AS by_rules,
    CASE
        WHEN n_ruled_otherwise > 0 AND n_by_scorer > 0
            THEN
                'the rule of the benchmark scores '
                || CAST(n_ruled_otherwise AS VARCHAR)
                || ' of '
                || CAST(n_scored AS VARCHAR)
                || ' samples otherwise'
        WHEN n_ruled_otherwise > 0
            THEN
                'rules alone read '
                || CAST(n_scored - n_unread AS VARCHAR)
                || ' of '
                || CAST(n_scored AS VARCHAR)
                || ' samples, and score '
                || CAST(n_ruled_otherwise AS VARCHAR)
                || ' otherwise'
    END AS note,
    coalesce(model_now, model) AS model,
    our_dataset,
    run_id,
    CASE WHEN is_declared THEN declared_judge WHEN has_scores THEN sample_judge ELSE main_judge END AS judge,
    harness_judge,
    reducer,
    is_stated,
    coalesce(n_scored, 0) AS n_scored,
    n_answers,
    n_differ,
    n_unread,
    n_pending
FROM explained
