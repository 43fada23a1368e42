-- MMBench, Table 4: accuracy under VanillaEval and under CircularEval. One row per run and judge.
-- @vanilla The answers to pass 0, in percent.
-- @circular Questions right in every pass, in percent.
-- @delta circular less vanilla, in percentage points; NULL: the run answered pass 0 of other
--   questions than it answered whole.
-- @coverage Questions without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices does not change the answer: ranked by
--   perplexity, and the same under both.
WITH paired AS (
    SELECT
        dataset, judge, run_id, model, is_order_invariant,
        max(CASE WHEN strategy = 'vanilla' THEN percent END) AS vanilla,
        max(CASE WHEN strategy = 'circular' THEN percent END) AS circular,
        max(CASE WHEN strategy = 'vanilla' THEN n_answered END) AS n_vanilla,
        max(CASE WHEN strategy = 'circular' THEN n_answered END) AS n_circular,
        max(CASE WHEN strategy = 'circular' THEN coverage END) AS coverage
    FROM mmbench_cell
    WHERE level = 'overall' AND strategy IN ('vanilla', 'circular')
    GROUP BY dataset, judge, run_id, model, is_order_invariant
)

SELECT
    dataset, judge, run_id, model, vanilla, circular,
    CASE WHEN n_vanilla = n_circular THEN circular - vanilla END AS delta,
    coverage,
    is_order_invariant AND n_vanilla = n_circular AND coalesce(circular = vanilla, FALSE) AS is_order_invariant
FROM paired
