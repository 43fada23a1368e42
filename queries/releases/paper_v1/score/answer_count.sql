-- How answers in words were read, by ability: paper_v1 has no rules for them, and so no rows. One
-- row per run, judge and ability.
-- @hook Gets pass_result; must keep one row per run, judge and ability.
-- @table per run
-- @key judge ability_id
-- @n_unread Answers that no rule and no judge could read: they count 0.
-- @n_judged Answers that a judge read, whatever it found.
-- @n_none Those of them in which it found none of the choices (X).
-- @n_said Of yes and no, answers read as yes.
-- @n_yes Of yes and no, questions whose answer is yes, as far as the release counts them.
-- @n_both Of yes and no, questions whose answer is yes, and that were answered so.
SELECT
    run_id, CAST(NULL AS VARCHAR) AS judge, CAST(NULL AS INTEGER) AS ability_id,
    CAST(NULL AS BIGINT) AS n_unread, CAST(NULL AS BIGINT) AS n_judged,
    CAST(NULL AS BIGINT) AS n_none, CAST(NULL AS BIGINT) AS n_said, CAST(NULL AS BIGINT) AS n_yes,
    CAST(NULL AS BIGINT) AS n_both
FROM current_run
WHERE FALSE
