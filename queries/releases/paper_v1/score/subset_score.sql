-- ability_score, and the same over each subset of a dataset. One row per run, subset, strategy,
-- judge, level, ability and average.
-- @subset The subset's name; all for the whole dataset.
-- @average micro (over questions; vanilla_all: over passes) or macro (over the abilities of the
--   level below, or of the benchmark's macro_level).
-- @n Questions of the subset, as far as the release counts them: all of them in paper_v1.
-- @n_answered Questions without a missing pass.
-- @points Sum of the question scores; NULL while pending.
-- @n_hidden Questions without a score because an answer is hidden.
-- @weight What the score is divided by: n, under vanilla_all the questions' passes.
-- @answered_weight The same of the n_answered questions.
-- @weighted_points Points by weight: the score is weighted_points / weight, under vanilla_all the
--   right passes; a macro average is of its abilities' scores, and not this. NULL while pending.
-- @score Over all n questions, missing ones wrong; NULL while pending or hidden, or where the run
--   does not reach the ability.
-- @is_reached Whether the run reaches the ability (see ability_reach).
-- @score_answered Over the n_answered questions.
-- @stderr Standard error of the mean over questions.
SELECT
    run_id, benchmark, dataset, version, split, language, model, run, dataset_id, is_latest, method,
    'all' AS subset, strategy, judge, level, ability, abbreviation, ability_ordinal, ability_id,
    parent_id, average, is_reached, n, n_answered, points, score, score_answered, score_low,
    score_high, stderr, n_pending, n_fallback, n_missing, n_hidden, weight, answered_weight,
    weighted_points
FROM ability_score
UNION ALL
SELECT *
FROM averaged_score
WHERE subset <> 'all'
