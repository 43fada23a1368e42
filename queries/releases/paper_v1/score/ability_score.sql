-- From questions to abilities, over whole datasets. One row per run, strategy, judge, level,
-- ability and average.
-- @hook Gets averaged_score; must keep one row per run, strategy, judge, level, ability and
--   average.
-- @n Questions of the dataset, as far as the release counts them: all of them in paper_v1.
-- @n_answered Questions without a missing pass.
-- @score Over all n questions, missing ones wrong; NULL while pending or hidden, or where the run
--   does not reach the ability.
-- @score_answered Over the n_answered questions.
SELECT * EXCLUDE (subset)
FROM averaged_score
WHERE subset = 'all'
