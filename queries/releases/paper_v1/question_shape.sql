-- What a full set of answers to a question is. One row per question.
-- @n_expected Passes that the dataset holds.
-- @n_first 1 if pass 0 is among them.
-- @n_hidden Passes whose answer is hidden.
-- @n_first_hidden 1 if pass 0's answer is hidden.
SELECT
    dataset_id,
    question_id,
    question_key,
    count(*) AS n_expected,
    CAST(sum(CASE WHEN pass = 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_first,
    CAST(sum(CASE WHEN answer IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS n_hidden,
    CAST(sum(CASE WHEN answer IS NULL AND pass = 0 THEN 1 ELSE 0 END) AS BIGINT) AS n_first_hidden
FROM dataset_pass
GROUP BY dataset_id, question_id, question_key
