-- The cells of a benchmark's boards, long: one row per run, ability ($ability_ids, or all) and
-- average ($micro_alone, or both). The source is subset_leaderboard; of whole datasets it is
-- leaderboard, as the engine would plan every verdict for the subsets too.
WITH shown AS (
    SELECT
        b.*, r.reduction, r.scored,
        CASE WHEN $answered THEN b.score_answered ELSE b.score END AS shown_score
    FROM {source} AS b
    INNER JOIN current_run AS r ON b.run_id = r.run_id
    WHERE
        b.benchmark = $benchmark
        AND b.subset = $subset
        AND b.strategy = $strategy
        AND b.judge = $judge
        AND ($split IS NULL OR b.split = $split)
        AND ($version IS NULL OR b.version = $version)
        AND ($language IS NULL OR b.language = $language)
        AND ($all_runs OR b.is_latest)
        AND (NOT $micro_alone OR b.average = 'micro')
        AND ($ability_ids IS NULL OR list_contains($ability_ids, b.ability_id))
)

SELECT
    dataset, run_id, model, run, method, reduction, scored, ability_id, average,
    -- Under vanilla_all the passes, of which the score is.
    weight AS n,
    answered_weight AS n_answered, n_hidden,
    CASE WHEN NOT $answered THEN weighted_points END AS points,
    shown_score AS score, score_answered,
    CASE WHEN $answered THEN score_answered ELSE score_low END AS score_low,
    CASE WHEN $answered THEN score_answered ELSE score_high END AS score_high,
    CASE WHEN NOT $answered THEN stderr END AS stderr,
    n_pending, n_fallback,
    CASE
        WHEN shown_score IS NULL THEN NULL
        WHEN NOT $answered AND $all_runs THEN rank
        WHEN NOT $answered THEN rank_latest
        ELSE rank() OVER (
            PARTITION BY dataset, ability_id, average
            ORDER BY round(shown_score, 12) DESC NULLS LAST
        )
    END AS rank
FROM shown
ORDER BY dataset, ability_ordinal, run_id
