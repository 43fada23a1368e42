-- What MMBench's tables are filled with: each model's latest run, in percent of the questions that
-- it answered. One row per run, strategy, judge and ability.
-- @internal
-- @percent The score over the questions without a missing pass, in percent; NULL while pending or
--   hidden.
-- @coverage Questions without a missing pass, in percent of all.
-- @l2 The abbreviation of the L-2 ability: its own, or that of the one above an L-3 ability; NULL:
--   a higher level.
-- @is_order_invariant Whether the order of the choices cannot change the answer: the choices were
--   ranked by perplexity, each alone.
SELECT
    s.run_id, s.model, r.model_id, s.dataset, s.dataset_id, s.version, s.split, s.language,
    s.strategy, s.judge, s.level, s.ability, s.abbreviation, s.ability_ordinal, s.ability_id,
    s.parent_id,
    CASE s.level WHEN 'l2' THEN s.abbreviation WHEN 'l3' THEN p.abbreviation END AS l2,
    s.n, s.n_answered, s.n_pending, 100 * s.score_answered AS percent,
    100 * CAST(s.n_answered AS DOUBLE) / s.n AS coverage,
    s.method = 'perplexity' AS is_order_invariant
FROM ability_score AS s
INNER JOIN current_run AS r USING (run_id)
INNER JOIN ability_tree AS p
    ON r.benchmark_id = p.benchmark_id AND coalesce(s.parent_id, 0) = p.ability_id
WHERE s.benchmark = 'MMBench' AND s.is_latest AND s.average = 'micro'
