-- Two runs of a dataset compared by their corrected scores (ppi of corrected_score, over the
-- questions of an ability): paired, as both had the same questions, and those that a person
-- labelled of both count as such. One row per pair of runs, judge, person and ability, every pair
-- in both orders.
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model.
-- @model_b The second run's.
-- @person The person's name as a judge.
-- @n Questions of the ability.
-- @estimate_a The first run's corrected score.
-- @estimate_b The second run's.
-- @difference estimate_a less estimate_b.
-- @stderr Its standard error.
-- @low Lower end of its 95 % interval.
-- @high Upper end.
-- @stderr_unpaired The standard error if the runs had nothing in common.
WITH share AS (
    SELECT *
    FROM corrected_share
),

compared AS (
    SELECT
        a.run_id AS run_a,
        b.run_id AS run_b,
        a.judge,
        a.person,
        a.ability_id,
        count(*) AS n,
        max(a.estimate) AS estimate_a,
        max(b.estimate) AS estimate_b,
        sqrt(sum((a.influence - b.influence) * (a.influence - b.influence))) AS stderr,
        sqrt(sum(a.influence * a.influence + b.influence * b.influence)) AS stderr_unpaired
    FROM share AS a
    INNER JOIN share AS b
        ON
            a.dataset_id = b.dataset_id
            AND a.ability_id = b.ability_id
            AND a.question_id = b.question_id
            AND a.judge = b.judge
            AND a.person = b.person
            AND a.run_id <> b.run_id
    GROUP BY a.run_id, b.run_id, a.judge, a.person, a.ability_id
)

SELECT
    c.run_a,
    c.run_b,
    r.dataset,
    r.model AS model_a,
    s.model AS model_b,
    c.judge,
    c.person,
    t.level,
    t.ability,
    c.ability_id,
    c.n,
    c.estimate_a,
    c.estimate_b,
    c.estimate_a - c.estimate_b AS difference,
    c.stderr,
    c.estimate_a - c.estimate_b - 1.959963984540054 * c.stderr AS low,
    c.estimate_a - c.estimate_b + 1.959963984540054 * c.stderr AS high,
    c.stderr_unpaired
FROM compared AS c
INNER JOIN current_run AS r ON c.run_a = r.run_id
INNER JOIN current_run AS s ON c.run_b = s.run_id
INNER JOIN ability_tree AS t ON r.benchmark_id = t.benchmark_id AND c.ability_id = t.ability_id
