-- Two runs side by side, group by group: none, as the release groups no questions. One row per pair
-- of runs, strategy, judge, subset, ability and group.
SELECT
    run_id AS run_a, run_id AS run_b, label AS model_a, label AS model_b, label AS strategy,
    label AS judge, label AS subset, run_id AS ability_id, label AS group_key, run_id AS cluster_id,
    label AS state, CAST(NULL AS DOUBLE) AS score_a, CAST(NULL AS DOUBLE) AS score_b,
    CAST(NULL AS BIGINT) AS n_missing_a, CAST(NULL AS BIGINT) AS n_missing_b,
    CAST(NULL AS DOUBLE) AS difference
FROM main.run
WHERE FALSE
