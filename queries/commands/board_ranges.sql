-- Half the width of each score's 95 % interval (none where every question came out alike), and the
-- ranks that its error leaves open, for boards.
SELECT
    run_id, ability_id, average,
    CASE WHEN stderr > 0 THEN high - score END AS margin,
    CASE WHEN $all_runs THEN best ELSE best_latest END AS best_rank,
    CASE WHEN $all_runs THEN worst ELSE worst_latest END AS worst_rank
FROM rank_range
WHERE
    benchmark = $benchmark
    AND subset = $subset
    AND strategy = $strategy
    AND judge = $judge
    AND ($all_runs OR is_latest)
