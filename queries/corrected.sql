-- Boards with corrected scores.

-- name: people
SELECT name FROM main.judge WHERE kind = 'human' AND retracted_at IS NULL ORDER BY name

-- name: cells
-- Of each dataset under the named judge, else its default one; where the person has labelled
-- nothing of that one, under the judge of whom most is labelled.
WITH labelled AS (
    SELECT *, max(n_labelled) OVER (PARTITION BY dataset, judge) AS most_labelled
    FROM {source}
    WHERE
        benchmark = $benchmark
        AND judge = coalesce($judge, judge)
        AND person = $person
        AND correction = $correction
        AND (level = 'overall' OR level = $level)
        AND ($all_runs OR is_latest)
),

judged AS (
    SELECT
        *,
        dense_rank() OVER (
            PARTITION BY dataset
            ORDER BY
                CASE WHEN judge = list_extract($judges, list_position($datasets, dataset)) THEN 0 ELSE 1 END,
                most_labelled DESC, judge
        ) AS standing_of_judge
    FROM labelled
),

chosen AS (
    SELECT
        *,
        -- The finest abilities have no level below: their average is over questions.
        row_number() OVER (
            PARTITION BY run_id, ability_id ORDER BY CASE WHEN average = $average THEN 0 ELSE 1 END
        ) AS place
    FROM judged
    WHERE standing_of_judge = 1
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
    dataset, judge, run_id,
    max(CASE WHEN ability_id = 0 AND estimate IS NOT NULL THEN standing END) OVER (
        PARTITION BY run_id
    ) AS rank,
    model, run, level, ability, abbreviation, average, correction, n, n_judged, n_labelled, score,
    estimate, stderr, low, high, interval_kind, reason
FROM ranked
ORDER BY dataset, rank NULLS LAST, model, run, ability_ordinal, ability_id
