-- The views whose results are not kept in this release, as it puts a view below them whose head
-- does not declare @kept per run. No rows: all are kept. One row per view and undeclared view.
-- @view What is computed from the facts in each query.
-- @undeclared The view below it that may look at other runs.
-- name: some
SELECT *
FROM (VALUES {rows}) AS v (view, undeclared);

-- name: none
SELECT
    '' AS view,
    '' AS undeclared
WHERE FALSE;
