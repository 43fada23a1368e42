-- Figures for two abilities at once, such as a duration and a type of task: paper_v1 has none, and
-- so no rows. One row per run, judge, figure and pair of abilities.
-- @hook Gets question_result; must keep one row per run, judge, figure and pair of abilities.
-- @table per run
-- @key judge figure ability_id other_ability_id
-- @figure_ordinal Its place in the benchmark's list; 0 is the main figure.
-- @figure The figure's name.
-- @level The first level.
-- @other_level The other level.
-- @ability_id The ability on the first level.
-- @other_ability_id The ability on the other level.
-- @score As the benchmark scales it; NULL while pending or hidden.
-- @n Questions of both abilities.
SELECT
    run_id, CAST(NULL AS VARCHAR) AS judge, CAST(NULL AS VARCHAR) AS figure,
    CAST(NULL AS SMALLINT) AS figure_ordinal, CAST(NULL AS VARCHAR) AS level,
    CAST(NULL AS VARCHAR) AS other_level, CAST(NULL AS INTEGER) AS ability_id,
    CAST(NULL AS INTEGER) AS other_ability_id, CAST(NULL AS DOUBLE) AS score,
    CAST(NULL AS BIGINT) AS n
FROM current_run
WHERE FALSE
