-- The runs whose results are of before: what boards show of them is not what the facts say now,
-- until `evalhouse refresh`. What another client changed by hand is not seen here; evalhouse check
-- finds it. One row per run.
-- @reason Why: the run was never computed; its dataset, its benchmark or the judges changed since;
--   or a judgment of one of its answers is newer.
WITH computed_to AS (
    SELECT coalesce(max(last_judgment_id), 0) AS last_judgment_id FROM {internal}.computed_judging
),

newer AS (
    SELECT j.subject_hash, j.run_id, j.stated
    FROM main.judgment AS j
    WHERE j.judgment_id > (SELECT last_judgment_id FROM computed_to)
),

touched AS (
    SELECT s.run_id
    FROM {internal}.judged_subject AS s
    INNER JOIN newer AS j ON s.subject_hash = j.subject_hash
    UNION
    -- A verdict without a reply has no subject that another run shares; but a judge that gave one
    -- is a judge of the whole dataset.
    SELECT r.run_id
    FROM newer AS j
    INNER JOIN main.run AS g ON j.run_id = g.run_id
    INNER JOIN main.run AS r ON g.dataset_id = r.dataset_id
    WHERE j.stated IS NOT NULL
    UNION
    -- Somebody took judgments out, and their numbers are given again.
    SELECT s.run_id
    FROM {internal}.judged_subject AS s
    WHERE
        (SELECT coalesce(max(judgment_id), 0) FROM main.judgment)
        < (SELECT last_judgment_id FROM computed_to)
),

judged AS (
    SELECT
        s.run_id,
        CASE
            WHEN c.run_id IS NULL THEN 'never computed'
            WHEN c.stamp <> s.stamp THEN 'its dataset, benchmark or judges changed'
            WHEN t.run_id IS NOT NULL THEN 'newer judgments'
        END AS reason
    FROM {internal}.run_stamp AS s
    LEFT JOIN {internal}.computed_run AS c ON s.run_id = c.run_id
    LEFT JOIN touched AS t ON s.run_id = t.run_id
)

SELECT run_id, reason
FROM judged
WHERE reason IS NOT NULL
