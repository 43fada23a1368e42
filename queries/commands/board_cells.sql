-- The cells of a benchmark's boards, long: one row per run, ability and average.
SELECT
    dataset,
    version,
    split,
    language,
    run_id,
    model,
    run,
    method,
    level,
    ability,
    abbreviation,
    ability_id,
    parent_id,
    ability_ordinal,
    average,
    n,
    n_answered,
    points,
    score,
    score_answered,
    score_low,
    score_high,
    stderr,
    n_pending,
    n_fallback,
    n_missing,
    CASE WHEN $all_runs THEN rank ELSE rank_latest END AS rank
FROM leaderboard
WHERE
    benchmark = $benchmark
    AND strategy = $strategy
    AND judge = $judge
    AND ($split IS NULL OR split = $split)
    AND ($version IS NULL OR version = $version)
    AND ($language IS NULL OR language = $language)
    AND ($all_runs OR is_latest)
ORDER BY dataset, ability_ordinal, run_id
