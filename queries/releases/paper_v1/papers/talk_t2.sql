-- MMBench talk (2024), Table 2: accuracy under CircularEval, and its change against VanillaEval.
-- One row per run and judge.
-- @circular Questions right in every pass, in percent.
-- @acc_change circular less vanilla, in percentage points.
-- @coverage Questions without a missing pass, in percent of all.
SELECT dataset, judge, run_id, model, circular, delta AS acc_change, coverage
FROM mmbench_t4
