-- name: functions
-- Scalar functions whose value their arguments decide, however they are called. That of `hash` is
-- each version's own.
SELECT function_name
FROM duckdb_functions()
GROUP BY function_name
HAVING bool_and(
    function_type = 'scalar' AND coalesce(stability = 'CONSISTENT' AND NOT has_side_effects, FALSE)
)
AND function_name <> 'hash'
