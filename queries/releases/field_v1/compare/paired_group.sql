-- Two runs side by side, group by group (strategy group:NAME): the groups of questions that both
-- runs' datasets have, by their keys. Every pair of runs is here in both orders, so filter by run_a
-- and run_b. One row per pair of runs, strategy, judge, subset, ability and group.
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model.
-- @model_b The second run's.
-- @group_key The parts of the group's key, with | between.
-- @cluster_id The first of the group's questions, in the dataset that was there first, or the first
--   that shows the same images (see question_cluster): groups with the same one are not
--   independent.
-- @state both: both have a score, in which a missing answer is wrong; hidden: an answer is;
--   pending: a verdict could still change the score of one.
-- @score_a The first run's score; NULL while pending or hidden.
-- @score_b The second run's score.
-- @n_missing_a Whether an answer of the first run is missing: more than 0.
-- @n_missing_b The same of the second run's.
-- @difference score_a less score_b where the state is both; NULL otherwise.
WITH clustered AS (
    SELECT c.dataset_id, g.name, g.group_key, min(c.cluster_id) AS cluster_id
    FROM question_group AS g
    INNER JOIN question_cluster AS c USING (question_id)
    GROUP BY c.dataset_id, g.name, g.group_key
),

paired AS (
    SELECT
        a.run_id AS run_a, b.run_id AS run_b, r.model AS model_a, s.model AS model_b,
        CASE WHEN r.dataset_id <= s.dataset_id THEN r.dataset_id ELSE s.dataset_id END AS dataset_id,
        a.name, a.judge, a.subset, a.ability_id, a.group_key, a.n_missing AS n_missing_a,
        b.n_missing AS n_missing_b,
        CASE
            WHEN a.score_low IS NULL OR b.score_low IS NULL THEN 'hidden'
            WHEN a.score_low < a.score_high OR b.score_low < b.score_high THEN 'pending'
            ELSE 'both'
        END AS state,
        CASE WHEN a.score_low = a.score_high THEN a.score_low END AS score_a,
        CASE WHEN b.score_low = b.score_high THEN b.score_low END AS score_b
    FROM group_score AS a
    INNER JOIN group_score AS b USING (name, group_key, judge, subset, ability_id)
    INNER JOIN current_run AS r ON a.run_id = r.run_id
    INNER JOIN current_run AS s ON b.run_id = s.run_id AND r.benchmark_id = s.benchmark_id
    WHERE a.run_id <> b.run_id
)

SELECT
    p.run_a, p.run_b, p.model_a, p.model_b, 'group:' || p.name AS strategy, p.judge, p.subset,
    p.ability_id, p.group_key, c.cluster_id, p.state, p.score_a, p.score_b, p.n_missing_a, p.n_missing_b,
    CASE WHEN p.state = 'both' THEN p.score_a - p.score_b END AS difference
FROM paired AS p
INNER JOIN clustered AS c USING (dataset_id, name, group_key)
