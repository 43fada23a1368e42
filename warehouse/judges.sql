-- Judges and what they said.

-- name: of_fingerprint
SELECT name
FROM main.judge
WHERE fingerprint = $fingerprint AND retracted_at IS NULL
ORDER BY judge_id

-- name: plan_samples
INSERT INTO main.judge_sample
SELECT $judge_id, CAST(n AS SMALLINT), $source_id
FROM range($n) AS samples(n)
ANTI JOIN main.judge_sample AS s ON s.judge_id = $judge_id AND s.judge_sample = samples.n

-- name: retract
UPDATE main.judge
SET retracted_at = now() AT TIME ZONE 'UTC'
WHERE judge_id = $judge_id AND retracted_at IS NULL
RETURNING judge_id

-- name: add_judgments
INSERT INTO main.judgment (judgment_id, judge_id, source_id, {names})
SELECT $first - 1 + row_number() OVER (), $judge_id, $source_id, {names}
FROM new_judgments AS n
{unless_there}

-- name: unless_known
ANTI JOIN (
    SELECT request_key
    FROM main.judgment
    WHERE error IS NULL AND judge_id = $judge_id AND request_key IS NOT NULL
) AS known ON n.request_key = known.request_key
