-- MMBench, Table 6: CircularEval on the test split, Overall and by L-2 ability. One row per run and
-- judge, of every dataset whose split is test.
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
SELECT * EXCLUDE (split)
FROM mmbench_sized
WHERE split = 'test'
