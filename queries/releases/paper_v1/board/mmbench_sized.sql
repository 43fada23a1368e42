-- MMBench, Tables 5 and 6: CircularEval, Overall and by L-2 ability. One row per run and judge.
-- @internal
-- @size Whether the model has up to ten billion parameters, or more.
-- @size_ordinal The order of the sizes: 1, 2, or 3 where the size is unknown.
-- @overall Over all questions that were answered, in percent.
-- @lr Logic reasoning, in percent.
-- @ar Attribute reasoning, in percent.
-- @rr Relation reasoning, in percent.
-- @fp_s Fine-grained perception of a single instance, in percent.
-- @fp_c Fine-grained perception across instances, in percent.
-- @cp Coarse perception, in percent.
-- @coverage Questions without a missing pass, in percent of all.
-- @is_order_invariant Whether the order of the choices cannot change the answer.
SELECT
    b.split, b.dataset, b.judge, b.run_id,
    CASE
        WHEN m.parameters_billion <= 10 THEN '≤10B'
        WHEN m.parameters_billion > 10 THEN '>10B'
        ELSE 'size unknown'
    END AS size,
    CASE
        WHEN m.parameters_billion <= 10 THEN 1
        WHEN m.parameters_billion > 10 THEN 2
        ELSE 3
    END AS size_ordinal,
    b.model, b.overall, b.lr, b.ar, b.rr, b.fp_s, b.fp_c, b.cp, b.coverage, b.is_order_invariant
FROM mmbench_board AS b
INNER JOIN current_model AS m USING (model_id)
