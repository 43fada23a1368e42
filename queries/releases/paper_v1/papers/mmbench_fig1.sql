-- MMBench, Figure 1: CircularEval by L-2 ability, as a radar of models. One row per run, judge and
-- ability.
-- @score CircularEval over the questions that were answered, in percent; NULL while pending.
-- @coverage Questions without a missing pass, in percent of the ability's.
SELECT
    dataset, judge, run_id, model, ability, abbreviation, ability_ordinal, percent AS score,
    coverage
FROM mmbench_cell
WHERE strategy = 'circular' AND level = 'l2'
