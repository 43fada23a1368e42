-- The scores of answers that harnesses wrote, and ours, summed up. One row per run, metric and
-- filter.
-- @internal
-- @metric What the harness calls the metric.
-- @filter What it calls the filter that the answers went through; NULL: none.
-- @run The label of the run.
-- @measure What the metric measures.
-- @n_scored Answers that the harness scored under the metric.
-- @n_numbers How many of those scores are numbers.
-- @n_ours How many of those answers have a score of ours.
-- @mean_there The mean of the harness's scores.
-- @mean_here The mean of ours.
-- @n_differ How many of those scores differ from ours.
-- @n_unread How many answers no rule of ours reads, where the harness read them.
-- @n_read_here_alone How many answers a rule of ours reads, where the harness read nothing.
-- @judge The judge of our scores, where it is one alone.
-- @n_by_rules Answers that have a score by rules alone.
-- @n_by_scorer Answers whose score is by the scorer's rule.
-- @mean_by_rules The mean of the scores by rules alone.
-- @n_ruled_otherwise Answers that rules alone score otherwise.
-- @n_pending How many answers wait for a judge.
-- @reason Why scores differ, where all have the same reason.
-- @reason_kind The same in one word.
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
FROM harness_sample_difference
GROUP BY run_id, metric, filter
