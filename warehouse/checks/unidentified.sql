-- The warehouse has no identity, or several
SELECT count(*) AS n_identities
FROM main.warehouse_identity
HAVING count(*) <> 1
