-- Cells that begin like lists and tables of Python; {cells} is a query for one column.

-- name: lists
SELECT DISTINCT cell
FROM ({cells}) AS t(cell)
WHERE starts_with(ltrim(cell), '[') OR starts_with(ltrim(cell), '(')
ORDER BY cell

-- name: tables
SELECT DISTINCT cell
FROM ({cells}) AS t(cell)
WHERE starts_with(ltrim(cell), '{{')
ORDER BY cell
