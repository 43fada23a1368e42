-- Boards with corrected scores.

-- name: people
SELECT name FROM main.judge WHERE kind = 'human' AND retracted_at IS NULL ORDER BY name

-- name: judges
SELECT DISTINCT judge FROM {source} WHERE benchmark = ? AND person = ?

-- name: cells
WITH chosen AS (
    SELECT
        *,
        -- The finest abilities have no level below: their average is over questions.
        row_number() OVER (
            PARTITION BY run_id, ability_id ORDER BY CASE WHEN average = $average THEN 0 ELSE 1 END
        ) AS place
    FROM {source}
    WHERE
        benchmark = $benchmark
        AND judge = $judge
        AND person = $person
        AND correction = $correction
        AND (level = 'overall' OR level = $level)
        AND ($all_runs OR is_latest)
),

ranked AS (
    SELECT
        *,
        rank() OVER (
            PARTITION BY dataset, ability_id ORDER BY round(estimate, 12) DESC NULLS LAST
        ) AS standing
    FROM chosen
    WHERE place = 1
)

SELECT
    dataset,
    run_id,
    max(CASE WHEN ability_id = 0 AND estimate IS NOT NULL THEN standing END) OVER (
        PARTITION BY run_id
    ) AS rank,
    model,
    run,
    level,
    ability,
    abbreviation,
    average,
    correction,
    n,
    n_judged,
    n_labelled,
    score,
    estimate,
    stderr,
    low,
    high,
    interval_kind,
    reason
FROM ranked
ORDER BY dataset, rank NULLS LAST, model, run, ability_ordinal, ability_id
