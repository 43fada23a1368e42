-- What precision, recall and F1 of yes are made of, by ability: paper_v1 has no questions of yes and
-- no, and so no rows. One row per run, judge and ability.
-- @hook Gets pass_result; must keep one row per run, judge and ability.
-- @kept per run
-- @n_said Answers read as yes.
-- @n_yes Questions whose answer is yes, as far as the release counts them.
-- @n_both Questions whose answer is yes, and that were answered so.
SELECT
    run_id,
    CAST(NULL AS VARCHAR) AS judge,
    CAST(NULL AS INTEGER) AS ability_id,
    CAST(NULL AS BIGINT) AS n_said,
    CAST(NULL AS BIGINT) AS n_yes,
    CAST(NULL AS BIGINT) AS n_both
FROM current_run
WHERE FALSE
