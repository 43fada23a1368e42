-- Two runs of a dataset compared by their corrected scores (ppi of corrected_score, over all
-- questions): paired, as both had the same questions, and those that a person labelled of both
-- count as such. One row per pair of runs, judge and person, every pair in both orders.
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model.
-- @model_b The second run's.
-- @person The person's name as a judge.
-- @estimate_a The first run's corrected score.
-- @estimate_b The second run's.
-- @difference estimate_a less estimate_b.
-- @stderr Its standard error.
-- @low Lower end of its 95 % interval.
-- @high Upper end.
-- @stderr_unpaired The standard error if the runs had nothing in common.
SELECT
    a.run_id AS run_a,
    b.run_id AS run_b,
    r.dataset,
    r.model AS model_a,
    s.model AS model_b,
    a.judge,
    a.person,
    max(a.estimate) AS estimate_a,
    max(b.estimate) AS estimate_b,
    max(a.estimate) - max(b.estimate) AS difference,
    sqrt(sum((a.influence - b.influence) * (a.influence - b.influence))) AS stderr,
    max(a.estimate) - max(b.estimate)
    - 1.959963984540054 * sqrt(sum((a.influence - b.influence) * (a.influence - b.influence))) AS low,
    max(a.estimate) - max(b.estimate)
    + 1.959963984540054 * sqrt(sum((a.influence - b.influence) * (a.influence - b.influence))) AS high,
    sqrt(sum(a.influence * a.influence + b.influence * b.influence)) AS stderr_unpaired
FROM corrected_share AS a
INNER JOIN corrected_share AS b
    ON
        a.dataset_id = b.dataset_id
        AND a.question_id = b.question_id
        AND a.judge = b.judge
        AND a.person = b.person
        AND a.run_id <> b.run_id
INNER JOIN current_run AS r ON a.run_id = r.run_id
INNER JOIN current_run AS s ON b.run_id = s.run_id
GROUP BY a.run_id, b.run_id, r.dataset, r.model, s.model, a.judge, a.person
