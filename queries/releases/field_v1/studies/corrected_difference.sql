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
-- @stderr Its standard error; NULL: labels of one of them show no spread.
-- @low Lower end of its 95 % interval. Where labels of one show no spread, from the ends of both,
--   as if the runs had nothing in common.
-- @high Upper end.
-- @interval_kind normal, or partly exact: from ends that are.
-- @stderr_unpaired The standard error if the runs had nothing in common.
WITH share AS (
    SELECT *
    FROM corrected_share
),

-- Read once.
ends AS (
    SELECT
        run_id, judge, person, ability_id, interval_kind, estimate - low AS below,
        high - estimate AS above
    FROM corrected_score
    WHERE average = 'micro' AND correction = 'ppi' AND estimate IS NOT NULL
),

compared AS (
    SELECT
        a.run_id AS run_a, b.run_id AS run_b, a.judge, a.person, a.ability_id, count(*) AS n,
        max(a.estimate) AS estimate_a, max(b.estimate) AS estimate_b,
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
),

joined AS (
    SELECT
        c.*,
        CASE WHEN x.interval_kind = 'normal' AND y.interval_kind = 'normal' THEN 'normal' ELSE 'partly exact'
            END AS interval_kind,
        x.below AS below_a, x.above AS above_a, y.below AS below_b, y.above AS above_b
    FROM compared AS c
    INNER JOIN ends AS x
        ON c.run_a = x.run_id AND c.judge = x.judge AND c.person = x.person AND c.ability_id = x.ability_id
    INNER JOIN ends AS y
        ON c.run_b = y.run_id AND c.judge = y.judge AND c.person = y.person AND c.ability_id = y.ability_id
)

SELECT
    c.run_a, c.run_b, r.dataset, r.model AS model_a, s.model AS model_b, c.judge, c.person, t.level,
    t.ability, c.ability_id, c.n, c.estimate_a, c.estimate_b,
    c.estimate_a - c.estimate_b AS difference,
    CASE WHEN c.interval_kind = 'normal' THEN c.stderr END AS stderr,
    c.estimate_a - c.estimate_b
    - CASE
        WHEN c.interval_kind = 'normal' THEN 1.959963984540054 * c.stderr
        ELSE sqrt(c.below_a * c.below_a + c.above_b * c.above_b)
    END AS low,
    c.estimate_a - c.estimate_b
    + CASE
        WHEN c.interval_kind = 'normal' THEN 1.959963984540054 * c.stderr
        ELSE sqrt(c.above_a * c.above_a + c.below_b * c.below_b)
    END AS high,
    c.interval_kind,
    CASE WHEN c.interval_kind = 'normal' THEN c.stderr_unpaired END AS stderr_unpaired
FROM joined AS c
INNER JOIN current_run AS r ON c.run_a = r.run_id
INNER JOIN current_run AS s ON c.run_b = s.run_id
INNER JOIN ability_tree AS t ON r.benchmark_id = t.benchmark_id AND c.ability_id = t.ability_id
