-- The runs whose kept results are what the views would compute. A run is not among them when it is
-- new, superseded or retracted; when a command changed its dataset, its benchmark or the judges in
-- scope (run_stamp); or when a judgment came about any of its subjects. Another release has tables
-- of its own.
WITH touched AS (
    SELECT s.run_id
    FROM {internal}.kept_subject AS s
    INNER JOIN main.judgment AS j ON s.subject_key = hash(j.subject_hash)
    WHERE j.judgment_id > (SELECT coalesce(max(last_judgment_id), 0) FROM {internal}.kept_judging)
    UNION
    -- A verdict without a reply has no subject that another run shares; but a judge that gave one
    -- is a judge of the whole dataset.
    SELECT r.run_id
    FROM main.judgment AS j
    INNER JOIN main.run AS g ON j.run_id = g.run_id
    INNER JOIN main.run AS r ON g.dataset_id = r.dataset_id
    WHERE
        j.stated IS NOT NULL
        AND j.judgment_id > (SELECT coalesce(max(last_judgment_id), 0) FROM {internal}.kept_judging)
    UNION
    -- Somebody took judgments out, and their numbers are given again.
    SELECT s.run_id
    FROM {internal}.kept_subject AS s
    WHERE
        (SELECT coalesce(max(judgment_id), 0) FROM main.judgment)
        < (SELECT coalesce(max(last_judgment_id), 0) FROM {internal}.kept_judging)
)

SELECT k.run_id
FROM {internal}.kept_run AS k
INNER JOIN {internal}.run_stamp AS s ON k.run_id = s.run_id AND k.facts_key = s.stamp
WHERE k.run_id NOT IN (SELECT run_id FROM touched)
