-- The runs whose kept results are what the views would compute. A run is not among them when it is new, superseded or retracted; when its answers, its dataset, its benchmark or the judges in scope are others than at the last refresh; or when a judgment came, went or changed about anything it asks a judge. Another release has tables of its own.
WITH answers AS (
    SELECT k.run_id
    FROM kept_run AS k
    INNER JOIN run_key AS n
        ON
            k.run_id = n.run_id
            AND k.facts_key = n.facts_key
            AND coalesce(k.answers_key = n.answers_key, n.answers_key IS NULL)
),

touched AS (
    SELECT s.run_id
    FROM kept_subject AS s
    INNER JOIN main.judgment AS j ON s.subject_key = hash(j.subject_hash)
    CROSS JOIN judging_key AS k
    WHERE j.judgment_id > k.last_judgment_id
    UNION
    SELECT s.run_id
    FROM kept_subject AS s
    CROSS JOIN judging_key AS k
    WHERE NOT k.is_same
)

SELECT run_id
FROM answers
WHERE run_id NOT IN (SELECT run_id FROM touched)
