-- Questions of choices whose key is probably wrong: those of which two models at least name the
-- same other label, and the models, each by what its answers are worth, speak more for it than for
-- the key. A label that was drawn by chance is nobody's word. A model of accuracy p over k labels
-- speaks with ln(p (k - 1) / (1 - p)), the weight of independent voters (naive Bayes; one step,
-- nothing is fitted). Over pass 0 of each model's latest run with the images. One row per dataset,
-- question and judge, of which the evidence is against the key.
-- @place By evidence within the dataset, from 1.
-- @answer The key.
-- @other The label that most speaks for, of those that two models name.
-- @n_models Models that name a label.
-- @n_for_key Models that name the key.
-- @n_for_other Models that name the other label.
-- @evidence Weights for the other label less weights for the key, added up: above 0, and the odds
--   of the other one to the key are exp(evidence) times what they were before any model answered.
-- @item_rest As in item_statistics: below 0 the better models have it wrong.
-- @why The same in words.
WITH said AS (
    SELECT dataset, dataset_id, run_id, question_id, question_key, judge, predicted, answer
    FROM model_answer
    WHERE NOT is_blind AND answer IS NOT NULL AND predicted IS NOT NULL AND predicted <> 'X'
),

labelled AS (
    SELECT question_id, count(*) AS n_labels
    FROM main.choice
    WHERE pass = 0
    GROUP BY question_id
),

-- A model that has all right or all wrong is not certain either: one right and one wrong answer are
-- added.
skilled AS (
    SELECT
        run_id, judge,
        (sum(CASE WHEN predicted = answer THEN 1.0 ELSE 0.0 END) + 1) / (count(*) + 2) AS accuracy
    FROM said
    GROUP BY run_id, judge
),

weighed AS (
    SELECT
        s.* EXCLUDE (run_id),
        -- Sums of decimals are the same in any order: equal evidence for and against is none.
        CAST(ln(k.accuracy * (l.n_labels - 1) / (1 - k.accuracy)) AS DECIMAL(25, 15)) AS weight
    FROM said AS s
    INNER JOIN skilled AS k USING (run_id, judge)
    INNER JOIN labelled AS l USING (question_id)
    WHERE l.n_labels > 1
),

voted AS (
    SELECT
        dataset, dataset_id, question_id, question_key, judge, predicted, answer,
        count(*) AS n_votes, sum(weight) AS weight
    FROM weighed
    GROUP BY dataset, dataset_id, question_id, question_key, judge, predicted, answer
),

keyed AS (
    SELECT
        question_id, judge, sum(n_votes) AS n_models,
        sum(CASE WHEN predicted = answer THEN n_votes ELSE 0 END) AS n_for_key,
        sum(CASE WHEN predicted = answer THEN weight ELSE 0 END) AS weight
    FROM voted
    GROUP BY question_id, judge
),

against AS (
    SELECT
        v.dataset, v.dataset_id, v.question_id, v.question_key, v.judge, v.answer,
        v.predicted AS other, k.n_models, k.n_for_key, v.n_votes,
        CAST(v.weight - k.weight AS DOUBLE) AS evidence,
        row_number() OVER (PARTITION BY v.question_id, v.judge ORDER BY v.weight DESC, v.predicted) AS rival
    FROM voted AS v
    INNER JOIN keyed AS k USING (question_id, judge)
    WHERE v.predicted <> v.answer AND v.n_votes > 1
)

SELECT
    a.dataset, a.dataset_id, a.judge,
    row_number() OVER (
        PARTITION BY a.dataset_id, a.judge ORDER BY round(a.evidence, 9) DESC, a.question_id
    ) AS place,
    a.question_id, a.question_key, a.answer, a.other, CAST(a.n_models AS BIGINT) AS n_models,
    CAST(a.n_for_key AS BIGINT) AS n_for_key, a.n_votes AS n_for_other, a.evidence, i.item_rest,
    CAST(a.n_votes AS VARCHAR) || ' of ' || CAST(CAST(a.n_models AS BIGINT) AS VARCHAR) || ' models name ' || a.other
    || ', ' || CAST(CAST(a.n_for_key AS BIGINT) AS VARCHAR) || ' the key ' || a.answer
    || CASE WHEN i.item_rest < 0 THEN '; the better models have it wrong' ELSE '' END AS why
FROM against AS a
LEFT JOIN item_statistics AS i USING (question_id, judge)
WHERE a.rival = 1 AND a.evidence > 0
