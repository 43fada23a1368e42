-- The cells of many columns.

-- name: stage
INSERT INTO {table}
SELECT *
FROM (SELECT {place}, {lists}, unnest([{cells}]) AS cell FROM {source})
WHERE nullif({blank}, '') IS NOT NULL
