-- MMBench, Figure 1: CircularEval by L-2 ability, as a radar of models. One row per run, judge and ability.
-- @score CircularEval over the questions that were answered, in percent; NULL while pending.
-- @coverage Questions without a missing pass, in percent of the ability's.
SELECT
    dataset,
    judge,
    run_id,
    model,
    ability,
    abbreviation,
    ability_ordinal,
    100 * score_answered AS score,
    100 * CAST(n_answered AS DOUBLE) / nullif(n, 0) AS coverage
FROM leaderboard
WHERE
    benchmark = 'MMBench'
    AND strategy = 'circular'
    AND average = 'micro'
    AND level = 'l2'
    AND is_latest
