-- The runs that their harness did not finish, as far as they count.
SELECT
    r.run_id, r.model, r.dataset, r.run, e.status AS "ended with",
    (SELECT count(*) FROM main.prediction AS p WHERE p.run_id = r.run_id AND NOT p.failed) AS answers
FROM current_run AS r
INNER JOIN main.run_status AS e ON r.run_id = e.run_id
WHERE e.status <> 'success'
ORDER BY r.run_id
