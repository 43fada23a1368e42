-- MMBench, Table {table}: {topic} ({l2}) and its L-3 abilities under CircularEval. One row per run and judge.
-- @{column} {meaning}, in percent.
-- @{abilities.name} {abilities.meaning}, in percent.
-- @coverage Questions on {topic} without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    dataset,
    judge,
    run_id,
    model,
    max(CASE WHEN level = 'l2' THEN percent END) AS {column},
    max(CASE WHEN ability = '{abilities.of}' THEN percent END){break} AS {abilities.name},
    max(CASE WHEN level = 'l2' THEN coverage END) AS coverage,
    is_order_invariant
FROM mmbench_cell
WHERE strategy = 'circular' AND l2 = '{l2}'
GROUP BY dataset, judge, run_id, model, is_order_invariant
