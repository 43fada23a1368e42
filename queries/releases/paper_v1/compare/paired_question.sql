-- Two runs side by side, question by question: runs of the same dataset, or of two datasets of a
-- benchmark whose questions have the same keys (English and Chinese, two versions). Every pair of
-- runs is here in both orders, so filter by run_a and run_b, or by a question. One row per pair of
-- runs, question that both datasets have, strategy and judge.
-- @run_a The first run, as in main.run.
-- @run_b The second run.
-- @model_a The first run's model. A client that asks for two models by name reads no other runs:
--   the names go down to the results.
-- @model_b The second run's.
-- @question_a The question in the first run's dataset, as in main.question.
-- @question_b The question in the second run's dataset; the same one where the dataset is.
-- @cluster_id What is independent of the other questions (see question_cluster), in the dataset in
--   which more of them share images, or else in the one that was there first.
-- @state both: both answered every pass that the strategy needs, and have a score; missing_a,
--   missing_b, missing_both: without an answer to a pass; hidden: the answer is; pending: a verdict
--   could still change the score of one.
-- @score_a The first run's score; NULL while pending or hidden.
-- @score_b The second run's score.
-- @weight_a What the first run's score counts for: 1, under vanilla_all the passes of its question.
-- @weight_b The same of the second run's.
-- @difference score_a less score_b where the state is both; NULL otherwise.
WITH paired AS (
    SELECT
        a.run_id AS run_a, b.run_id AS run_b, a.model AS model_a, b.model AS model_b,
        a.dataset_id AS dataset_a, b.dataset_id AS dataset_b,
        a.question_id AS question_a, b.question_id AS question_b, a.question_key, a.strategy,
        a.judge, a.score AS score_a, b.score AS score_b,
        CAST(CASE WHEN a.strategy = 'vanilla_all' THEN a.n_expected ELSE 1 END AS INTEGER) AS weight_a,
        CAST(CASE WHEN b.strategy = 'vanilla_all' THEN b.n_expected ELSE 1 END AS INTEGER) AS weight_b,
        CASE
            WHEN a.n_missing > 0 AND b.n_missing > 0 THEN 'missing_both'
            WHEN a.n_missing > 0 THEN 'missing_a'
            WHEN b.n_missing > 0 THEN 'missing_b'
            WHEN a.score_low IS NULL OR b.score_low IS NULL THEN 'hidden'
            WHEN a.score IS NULL OR b.score IS NULL THEN 'pending'
            ELSE 'both'
        END AS state
    FROM question_result AS a
    INNER JOIN question_result AS b USING (question_key, strategy, judge)
    INNER JOIN main.dataset AS d ON a.dataset_id = d.dataset_id
    INNER JOIN main.dataset AS e ON b.dataset_id = e.dataset_id AND d.benchmark_id = e.benchmark_id
    WHERE
        a.run_id <> b.run_id
        AND a.n_expected > 0
        AND b.n_expected > 0
        AND a.counted
        AND b.counted
)

SELECT
    p.run_a, p.run_b, p.model_a, p.model_b, p.question_a, p.question_b, p.question_key,
    -- One of the two datasets may not state its images; where both do, the dataset that was there
    -- first holds.
    CASE WHEN c.n_sharing >= d.n_sharing THEN c.cluster_id ELSE d.cluster_id END AS cluster_id,
    p.strategy, p.judge, p.state, p.score_a, p.score_b, p.weight_a, p.weight_b,
    CASE WHEN p.state = 'both' THEN p.score_a - p.score_b END AS difference
FROM paired AS p
INNER JOIN question_cluster AS c
    ON CASE WHEN p.dataset_a <= p.dataset_b THEN p.question_a ELSE p.question_b END = c.question_id
INNER JOIN question_cluster AS d
    ON CASE WHEN p.dataset_a <= p.dataset_b THEN p.question_b ELSE p.question_a END = d.question_id
