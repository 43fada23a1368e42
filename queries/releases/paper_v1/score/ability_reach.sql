-- Whether a run reaches an ability (SEED-Bench-2, capability levels). A dimension is reached that
-- the model's facts declare (model_fact.capability_level) and the dataset has questions of, or else
-- one with an answer; a part or level is reached with every dimension of it, also of those that the
-- dataset has no question of. What is not reached has no score, and no rank. One row per run and
-- ability of its benchmark, Overall included.
-- @internal
-- @is_declared Whether the model's facts say it, rather than the answers.
-- @is_reached TRUE wherever the benchmark has no such levels.
WITH leveled AS (
    SELECT r.run_id, r.model_id, r.benchmark_id, r.dataset_id, a.ability_id AS base_id
    FROM current_run AS r
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    INNER JOIN main.ability AS a ON b.benchmark_id = a.benchmark_id AND b.macro_level = a.level
),

held AS (
    SELECT DISTINCT q.dataset_id, f.ability_id
    FROM main.question_ability AS f
    INNER JOIN main.question AS q USING (question_id)
),

flags AS (
    SELECT run_id, base_id, 0 AS declared, 0 AS answered
    FROM leveled
    UNION ALL
    SELECT l.run_id, l.base_id, 1 AS declared, 0 AS answered
    FROM leveled AS l
    INNER JOIN held AS h ON l.dataset_id = h.dataset_id AND l.base_id = h.ability_id
    INNER JOIN main.model_fact AS f ON l.model_id = f.model_id AND f.superseded_by IS NULL
    INNER JOIN main.ability AS a
        ON l.benchmark_id = a.benchmark_id AND a.level = 'capability_level' AND f.capability_level = a.name
    INNER JOIN ability_base AS b
        ON l.benchmark_id = b.benchmark_id AND a.ability_id = b.ability_id AND l.base_id = b.base_id
    UNION ALL
    SELECT run_id, ability_id AS base_id, 0 AS declared, 1 AS answered
    FROM answered_ability
),

dimensions AS (
    SELECT run_id, base_id, max(declared) AS declared, max(answered) AS answered
    FROM flags
    GROUP BY run_id, base_id
),

known AS (
    SELECT
        run_id, base_id, max(declared) OVER (PARTITION BY run_id) AS is_declared, declared, answered
    FROM dimensions
),

reached AS (
    SELECT
        run_id, base_id, is_declared,
        CASE WHEN is_declared = 1 THEN declared ELSE answered END AS is_reached
    FROM known
),

placed AS (
    SELECT run_id, base_id AS ability_id, is_declared, is_reached
    FROM reached
    UNION ALL
    SELECT d.run_id, b.ability_id, d.is_declared, d.is_reached
    FROM reached AS d
    INNER JOIN current_run AS r USING (run_id)
    INNER JOIN ability_base AS b USING (benchmark_id, base_id)
    UNION ALL
    SELECT r.run_id, t.ability_id, 0 AS is_declared, 1 AS is_reached
    FROM current_run AS r
    INNER JOIN ability_tree AS t USING (benchmark_id)
)

SELECT run_id, ability_id, max(is_declared) = 1 AS is_declared, min(is_reached) = 1 AS is_reached
FROM placed
GROUP BY run_id, ability_id
