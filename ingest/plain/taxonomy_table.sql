-- The taxonomy of a user's benchmark.

-- name: repeated
SELECT max(__row), trim(CAST(ability AS VARCHAR)), trim(CAST(level AS VARCHAR))
FROM raw
GROUP BY 2, 3
HAVING count(*) > 1
ORDER BY 1
LIMIT 1
