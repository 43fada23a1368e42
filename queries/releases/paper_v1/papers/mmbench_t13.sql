-- MMBench, Table 13: relation reasoning (RR) and its L-3 abilities under CircularEval. One row per
-- run and judge.
-- @rr Relation reasoning, in percent.
-- @social_relation Social Relation, in percent.
-- @physical_relation Physical Relation, in percent.
-- @nature_relation Nature Relation, in percent.
-- @coverage Questions on relation reasoning without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS rr,
    max(CASE WHEN ability = 'Social Relation' THEN percent END) AS social_relation,
    max(CASE WHEN ability = 'Physical Relation' THEN percent END) AS physical_relation,
    max(CASE WHEN ability = 'Nature Relation' THEN percent END) AS nature_relation,
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = 'RR'
GROUP BY dataset, judge, run_id, model, is_order_invariant
