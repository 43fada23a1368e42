-- What others wrote of the scores of runs, and ours of the same runs. Of a harness's figures: the
-- rows of figure_difference, of every run. Of published scores (MM-Vet's files): the rows of
-- published_total, for the model's latest run.
-- @run The label of the run; NULL: a published score without one of ours.
-- @dataset What the harness calls it; several datasets here may be one of its own.
-- @metric The path to the figure in the harness's file, with its filter and reducer; of published
--   scores `level=ability`.
-- @published The number that was written.
-- @ours Scaled as the benchmark does; NULL: pending, or nothing here has that name.
-- @is_same Whether ours is the same, to 1e-9 or to the digits that were written.
-- @harness_judge The judge that the harness names.
-- @judge The judge of ours.
-- @our_dataset The dataset of our run.
-- @figure The benchmark's figure of that name.
-- @difference Ours less the published one.
-- @published_spread The published standard deviation over judge samples, as printed.
-- @published_samples The published totals of the judge samples, as printed.
-- @spread Ours: the population standard deviation of the totals of the judge samples.
-- @n_judge_samples Judge samples of ours.
-- @is_same_spread Whether our standard deviation, rounded to as many digits, is what is printed.
SELECT
    f.model, f.run, f.dataset, f.metric, f.published, f.ours, f.is_same, f.benchmark, f.level,
    f.ability, f.abbreviation, f.ability_ordinal, NULL AS published_spread,
    NULL AS published_samples, f.our_dataset, f.run_id, f.judge, NULL AS spread,
    NULL AS n_judge_samples, f.difference, NULL AS is_same_spread, f.harness_judge, f.figure
FROM figure_difference AS f
UNION ALL
SELECT
    t.model, r.label AS run, coalesce(t.dataset, t.benchmark) AS dataset,
    t.level || '=' || t.ability AS metric, CAST(t.published AS DOUBLE) AS published,
    t.total AS ours, coalesce(t.is_same, FALSE) AS is_same, t.benchmark, t.level, t.ability,
    t.abbreviation, t.ability_ordinal, t.published_spread, t.published_samples,
    t.dataset AS our_dataset, t.run_id, t.judge, t.spread, t.n_judge_samples, t.difference,
    t.is_same_spread, NULL AS harness_judge, NULL AS figure
FROM published_total AS t
LEFT JOIN main.run AS r USING (run_id)
