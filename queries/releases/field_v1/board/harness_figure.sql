-- The figures that harnesses wrote of runs, and ours of what they measure: what
-- harness_difference compares and explains. One row per run and figure; where a harness scored
-- answers and wrote no figure of them, the mean of its scores stands for one.
-- @internal
-- @model_now The model's name now; NULL: no run here is the figure's.
-- @model The model's name in the harness's files.
-- @run_now The label of the run now; NULL: no run here is the figure's.
-- @label The run's label in the harness's files.
-- @task What the harness calls the dataset.
-- @metric What the harness calls the figure.
-- @filter What it calls the filter that the answers went through; NULL: none.
-- @reducer How the harness made one score of several samples.
-- @published The number that the harness wrote.
-- @ours On the harness's scale; NULL: none.
-- @tolerance By how much the two may differ: the digits that were written.
-- @run_id The run; NULL: none, or several.
-- @our_dataset The dataset of our run.
-- @n_runs Runs that are the figure's.
-- @is_stated Whether the harness wrote the figure; else it is the mean of its scores.
-- @is_of_group Whether it is of a group of samples.
-- @is_part Whether it is of a part of the run's questions, as its name says.
-- @is_declared Whether the benchmark declares a figure under that name.
-- @declared_judge The judge of the declared figure.
-- @harness_judge The judge that the harness names.
-- @measure What the metric measures, as harness_measure has it; NULL: nothing that is known
--   here.
-- @factor What a share of ours is multiplied by to be on the harness's scale.
-- @has_scores Whether the harness kept scores of answers.
-- @n_scored Answers that the harness scored under the metric; NULL: it kept none.
-- @n_numbers How many of those scores are numbers.
-- @n_ours How many of those answers have a score of ours.
-- @n_differ How many of those scores differ from ours.
-- @n_unread How many answers no rule of ours reads, where the harness read them.
-- @n_read_here_alone How many answers a rule of ours reads, where the harness read nothing.
-- @n_pending How many answers wait for a judge.
-- @n_answers Answers of the run.
-- @sample_reason Why scores of answers differ, where all have the same reason.
-- @sample_reason_kind The same in one word.
-- @sample_judge The judge of our scores of answers, where it is one alone.
-- @n_by_rules Answers that have a score by rules alone.
-- @n_by_scorer Answers whose score is by the scorer's rule.
-- @mean_by_rules The mean of the scores by rules alone.
-- @n_ruled_otherwise Answers that rules alone score otherwise.
-- @is_reduced Whether the figure is of several samples of a question.
-- @is_known_reducer Whether ours is reduced in the same way.
-- @main_judge The judge of the run's main figure.
-- @main_pending How many answers of the main figure wait for a judge.
-- @n_tasks Tasks of the group that the figure is of; NULL: of none.
-- @n_tasks_here How many of those have a figure of ours.
WITH bound AS (
    SELECT *
    FROM harness_bound
),

-- Of several names for a figure the later one, of the finest level, as VLMEvalKit writes one over
-- the other.
declared AS (
    SELECT
        b.model, b.task, b.label, b.path, b.judge AS harness_judge, n.judge, n.score, n.figure,
        row_number() OVER (
            PARTITION BY b.model, b.task, b.label, b.path, b.judge
            ORDER BY
                CASE
                    WHEN n.judge = b.judge THEN 0
                    WHEN j.model = b.judge THEN 1
                    WHEN n.judge = 'none' THEN 2
                    ELSE 3
                END,
                n.judge, n.figure_ordinal DESC, n.ability_ordinal DESC
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
        b.run_id, h.judge AS harness_judge, b.judge, b.score / nullif(d.scale, 0) AS share,
        b.n_pending,
        row_number() OVER (
            PARTITION BY b.run_id, h.judge
            ORDER BY CASE b.judge WHEN h.judge THEN 0 WHEN 'none' THEN 1 ELSE 2 END, b.judge
        ) AS place
    FROM (SELECT DISTINCT run_id, judge FROM bound) AS h
    INNER JOIN benchmark_score AS b USING (run_id)
    INNER JOIN declared_figure AS d ON b.benchmark = d.benchmark AND b.figure_ordinal = d.ordinal
    WHERE b.figure_ordinal = 0 AND b.ability_id = 0
),

-- Read once: it takes longer to plan than all else.
sample_difference AS (
    SELECT *
    FROM harness_sample_difference
),

-- The scores of answers that harnesses wrote, and ours, by run, metric and filter.
sample_sum AS (
    SELECT
        run_id, metric, filter, min(run) AS run, min(model) AS model, min(dataset) AS dataset,
        min(measure) AS measure, count(*) AS n_scored, count(published) AS n_numbers,
        count(ours) AS n_ours, avg(published) AS mean_there, avg(ours) AS mean_here,
        count(CASE WHEN NOT is_same THEN 1 END) AS n_differ,
        count(CASE WHEN is_unread THEN 1 END) AS n_unread,
        count(CASE WHEN NOT is_same AND read_there = '' AND read_here IS NOT NULL THEN 1 END) AS n_read_here_alone,
        CASE WHEN min(judge) = max(judge) THEN min(judge) END AS judge,
        count(by_rules) AS n_by_rules, count(scorer_rule) AS n_by_scorer,
        avg(by_rules) AS mean_by_rules,
        count(CASE WHEN abs(by_rules - ours) > 0.000001 THEN 1 END) AS n_ruled_otherwise,
        count(CASE WHEN resolved_by = 'pending' THEN 1 END) AS n_pending,
        -- All have the same reason, or there is none to name.
        CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason,
        CASE WHEN min(reason_kind) = max(reason_kind) THEN min(reason_kind) END AS reason_kind
    FROM sample_difference
    GROUP BY run_id, metric, filter
),

-- Ours of a figure that a harness made of several samples of each question with a reducer other
-- than the mean of all: the question's scores become one number, as Inspect documents its reducers,
-- and ours is the mean of those, 0 to 1.
wanted_reducer AS (
    SELECT DISTINCT
        run_id, filter AS metric, reducer,
        CASE
            WHEN reducer IN ('mean', 'mean_score') THEN 'mean'
            WHEN reducer IN ('median', 'median_score') THEN 'median'
            WHEN reducer IN ('mode', 'mode_score') THEN 'mode'
            WHEN reducer IN ('max', 'max_score') THEN 'max'
            ELSE nullif(regexp_extract(reducer || '~', '(at_least|pass_at|pass_k)_[0-9]+~', 1), '')
        END AS kind,
        as_number(nullif(regexp_extract(reducer || '~', '_([0-9]+)~', 1), '')) AS k
    FROM bound
    WHERE fit IS NOT NULL AND filter IS NOT NULL AND reducer IS NOT NULL
),

reducer_score AS (
    SELECT
        w.*, d.question_id, d.pass, d.sample, d.ours,
        row_number() OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass ORDER BY d.ours, d.sample
        ) AS place,
        count(*) OVER (PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass) AS n,
        sum(CASE WHEN d.ours >= 1.0 THEN 1 ELSE 0 END) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass
        ) AS n_right,
        count(*) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass, d.ours
        ) AS n_equal,
        min(d.sample) OVER (
            PARTITION BY w.run_id, w.metric, w.reducer, d.question_id, d.pass, d.ours
        ) AS first_equal
    FROM wanted_reducer AS w
    INNER JOIN sample_difference AS d
        ON w.run_id = d.run_id AND w.metric = d.metric AND d.filter IS NULL
    WHERE d.published IS NOT NULL
),

-- Of values that are equally frequent the one that came first.
ranked_sample AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY run_id, metric, reducer, question_id, pass ORDER BY n_equal DESC, first_equal, sample
        ) AS place_by_frequency
    FROM reducer_score
),

-- C(n - c, k) / C(n, k) is the product of (n - c - i) / (n - i) over i from 0 to k - 1; the first k
-- rows of the question stand for i.
reduced_question AS (
    SELECT
        run_id, metric, reducer, max(kind) AS kind, max(k) AS k, max(n) AS n,
        max(n_right) AS n_right, count(ours) AS n_ours, avg(ours) AS mean, max(ours) AS greatest,
        avg(CASE WHEN place IN ((n + 1) // 2, (n + 2) // 2) THEN ours END) AS middle,
        max(CASE WHEN place_by_frequency = 1 THEN ours END) AS most_frequent,
        exp(
            sum(
                CASE
                    WHEN place <= k AND place <= n - n_right
                        THEN ln(CAST(n - n_right - place + 1 AS DOUBLE) / (n - place + 1))
                    ELSE 0.0
                END
            )
        ) AS share_all_wrong,
        exp(
            sum(
                CASE
                    WHEN place <= k AND place <= n_right
                        THEN ln(CAST(n_right - place + 1 AS DOUBLE) / (n - place + 1))
                    ELSE 0.0
                END
            )
        ) AS share_all_right
    FROM ranked_sample
    GROUP BY run_id, metric, reducer, question_id, pass
),

reduced_score AS (
    SELECT
        run_id, metric, reducer, kind, n, n_ours,
        CAST(
            CASE kind
                WHEN 'mean' THEN mean
                WHEN 'median' THEN middle
                WHEN 'mode' THEN most_frequent
                WHEN 'max' THEN greatest
                WHEN 'at_least' THEN CASE WHEN n_right >= k THEN 1.0 ELSE 0.0 END
                WHEN 'pass_at'
                    THEN
                        CASE
                            WHEN n < k THEN NULL
                            WHEN n - n_right < k THEN 1.0
                            ELSE 1.0 - share_all_wrong
                        END
                WHEN 'pass_k'
                    THEN
                        CASE
                            WHEN n < k THEN NULL
                            WHEN n_right < k THEN 0.0
                            ELSE share_all_right
                        END
            END AS DOUBLE
        ) AS value
    FROM reduced_question
),

reduction AS (
    SELECT
        run_id, metric, reducer, max(kind) IS NOT NULL AS is_known,
        CASE WHEN count(CASE WHEN n_ours < n THEN 1 END) = 0 THEN avg(value) END AS ours
    FROM reduced_score
    GROUP BY run_id, metric, reducer
),

-- Ours of a figure that a harness made of one group of samples (Inspect's grouped): the mean of our
-- scores of the questions that have an ability of the group's name, else an attribute of that
-- value.
wanted_group AS (
    SELECT DISTINCT
        run_id, filter AS metric, metric AS figure, substr(metric, 9) AS group_name,
        -- Where several figures are of one group, Inspect numbers their names.
        substr(
            metric, 9, length(metric) - 8 - length(regexp_extract(metric || '~', '([0-9]+)~', 1))
        ) AS unnumbered_name
    FROM bound
    WHERE fit IS NOT NULL AND filter IS NOT NULL AND substr(metric, 1, 8) = 'grouped|'
),

group_member AS (
    SELECT
        w.run_id, w.metric, w.figure, l.question_id,
        CASE WHEN t.ability = w.group_name THEN 0 ELSE 2 END AS place
    FROM wanted_group AS w
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN ability_tree AS t
        ON r.benchmark_id = t.benchmark_id AND t.ability IN (w.group_name, w.unnumbered_name)
    INNER JOIN question_level AS l USING (ability_id)
    INNER JOIN main.question AS q USING (question_id, dataset_id)
    UNION
    SELECT
        w.run_id, w.metric, w.figure, a.question_id,
        CASE WHEN a.value = w.group_name THEN 1 ELSE 3 END AS place
    FROM wanted_group AS w
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.question_attribute AS a
        ON q.question_id = a.question_id AND a.value IN (w.group_name, w.unnumbered_name)
),

placed_member AS (
    SELECT *, min(place) OVER (PARTITION BY run_id, metric, figure) AS first_place
    FROM group_member
),

group_figure AS (
    SELECT
        p.run_id, p.metric, p.figure, count(*) AS n_scored,
        count(CASE WHEN NOT d.is_same THEN 1 END) AS n_differ,
        CASE WHEN count(d.ours) = count(*) THEN avg(d.ours) END AS ours
    FROM placed_member AS p
    INNER JOIN sample_difference AS d
        ON p.run_id = d.run_id AND p.metric = d.metric AND d.filter IS NULL AND p.question_id = d.question_id
    WHERE p.place = p.first_place AND d.published IS NOT NULL
    GROUP BY p.run_id, p.metric, p.figure
),

answered AS (
    SELECT run_id, count(*) AS n_answers
    FROM (
        SELECT run_id, question_id, pass, sample
        FROM main.prediction
        WHERE run_id IN (SELECT run_id FROM main.harness_score)
        UNION
        SELECT run_id, question_id, pass, sample
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
        b.model, b.label, b.task, b.path, b.metric, b.measured, b.is_part, b.filter, b.reducer,
        b.source_id, b.judge AS harness_judge, b.published, b.n_digits,
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
        s.model AS model_now, s.run AS run_now, s.model, s.run AS label, s.dataset AS task,
        s.metric AS path, s.metric, s.metric AS measured, FALSE AS is_part, s.filter,
        NULL AS reducer, NULL AS source_id, NULL AS harness_judge, s.mean_there AS published,
        0 AS n_digits, s.dataset AS our_dataset, 1 AS n_runs, s.run_id, FALSE AS is_of_group,
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
        f.*, d.judge AS declared_judge, d.score AS declared_score,
        d.task IS NOT NULL AS is_declared, s.run_id IS NOT NULL AS has_scores,
        CASE WHEN f.is_of_group THEN g.n_scored ELSE s.n_scored END AS n_scored,
        s.n_numbers, s.n_ours, s.mean_there, s.mean_here,
        CASE WHEN f.is_of_group THEN g.n_differ ELSE s.n_differ END AS n_differ,
        g.ours AS of_group, s.n_unread,
        CASE WHEN NOT f.is_of_group THEN s.n_read_here_alone END AS n_read_here_alone,
        s.n_pending, s.reason AS sample_reason, s.reason_kind AS sample_reason_kind,
        s.judge AS sample_judge,
        CASE WHEN NOT f.is_of_group THEN s.n_by_rules END AS n_by_rules,
        s.n_by_scorer, s.mean_by_rules,
        CASE WHEN NOT f.is_of_group THEN s.n_ruled_otherwise END AS n_ruled_otherwise,
        r.run_id IS NOT NULL AS is_reduced, coalesce(r.is_known, FALSE) AS is_known_reducer,
        r.ours AS reduced, a.n_answers,
        CASE
            -- Ours of the whole is no figure of a part.
            WHEN f.is_part THEN NULL
            WHEN harness_measure(f.measured) <> 'log_likelihood' OR s.n_ours > 0
                THEN harness_measure(f.measured)
        END AS measure,
        m.judge AS main_judge, m.share, m.n_pending AS main_pending,
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
    LEFT JOIN reduction AS r
        ON f.run_id = r.run_id AND f.filter = r.metric AND f.reducer = r.reducer
    LEFT JOIN group_figure AS g ON f.run_id = g.run_id AND f.filter = g.metric AND f.metric = g.figure
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
        c.source_id, c.task, c.path,
        '|' || split_part(
            substr(
                split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2),
                strpos(split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2), '"' || c.task || '": "')
                + length(c.task)
                + 5
            ),
            '"', 1
        ) AS tasks
    FROM compared AS c
    INNER JOIN main.source AS s USING (source_id)
    WHERE
        c.n_runs = 0
        AND contains(split_part(CAST(s.flags AS VARCHAR), '"tasks_of_groups": {', 2), '"' || c.task || '": "')
),

task_of_group AS (
    SELECT
        g.source_id, g.task, g.path, c.published, c.ours_of_run,
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
        source_id, task, path, max(n_tasks) AS n_tasks, count(*) AS n_there,
        count(ours_of_run) AS n_tasks_here,
        sum(n_documents * published) / sum(n_documents) AS weighted_there,
        avg(published) AS mean_there,
        sum(n_documents * ours_of_run) / sum(n_documents) AS weighted_here,
        avg(ours_of_run) AS mean_here
    FROM task_of_group
    GROUP BY source_id, task, path
)

-- A group is summed up as the harness's own figures of its tasks are: by documents, or each task
-- alike.
SELECT
    c.model_now, c.model, c.run_now, c.label, c.task, c.metric, c.filter, c.reducer, c.published,
    c.tolerance, c.run_id, c.our_dataset, c.n_runs, c.is_stated, c.is_of_group, c.is_part,
    c.is_declared, c.declared_judge, c.harness_judge, c.measure, c.factor, c.has_scores, c.n_scored,
    c.n_numbers, c.n_ours, c.n_differ, c.n_unread, c.n_read_here_alone, c.n_pending, c.n_answers,
    c.sample_reason, c.sample_reason_kind, c.sample_judge, c.n_by_rules, c.n_by_scorer,
    c.mean_by_rules, c.n_ruled_otherwise, c.is_reduced, c.is_known_reducer, c.main_judge,
    c.main_pending, g.n_tasks, g.n_tasks_here,
    CASE
        WHEN c.ours_of_run IS NOT NULL THEN c.ours_of_run
        WHEN g.n_tasks_here < g.n_tasks THEN NULL
        WHEN abs(g.weighted_there - c.published) <= 0.000000001 THEN g.weighted_here
        WHEN abs(g.mean_there - c.published) <= 0.000000001 THEN g.mean_here
    END AS ours
FROM compared AS c
LEFT JOIN group_mean AS g USING (source_id, task, path)
