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
WITH matched AS (
    SELECT *, coalesce(abs(ours - published) <= tolerance, FALSE) AS is_same
    FROM harness_figure
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
    coalesce(run_now, label) AS run, task AS dataset, metric, filter, published, ours, is_same,
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
        WHEN reason_kind = 'nothing_of_ours' AND is_part
            THEN 'no level or figure of ours has this name, and our main figure is of the whole'
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
    coalesce(model_now, model) AS model, our_dataset, run_id,
    CASE WHEN is_declared THEN declared_judge WHEN has_scores THEN sample_judge ELSE main_judge END AS judge,
    harness_judge, reducer, is_stated, coalesce(n_scored, 0) AS n_scored, n_answers, n_differ,
    n_unread, n_pending
FROM explained
