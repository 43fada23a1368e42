-- What the rules and the ranking make of each pass that a run answered: where a question wants a text and an image, both have to be there, and both right. One row per run, question, pass and sample.
-- @is_answered 1 if every component is there and inference did not fail.
-- @is_right 1 if every component is the answer.
WITH judged AS (
    SELECT
        a.run_id,
        a.question_id,
        a.pass,
        a.sample,
        a.component,
        CASE WHEN a.state <> 'failed' THEN 1 ELSE 0 END AS is_answered,
        CASE WHEN a.label = d.answer THEN 1 ELSE 0 END AS is_right
    FROM answered_pass AS a
    INNER JOIN dataset_pass AS d ON a.question_id = d.question_id AND a.pass = d.pass
)

SELECT
    run_id,
    question_id,
    pass,
    sample,
    is_answered,
    is_right
FROM judged
WHERE component = 'answer'
UNION ALL
SELECT
    run_id,
    question_id,
    pass,
    sample,
    CASE WHEN count(*) = 2 THEN min(is_answered) ELSE 0 END AS is_answered,
    CASE WHEN count(*) = 2 THEN min(is_right) ELSE 0 END AS is_right
FROM judged
WHERE component <> 'answer'
GROUP BY run_id, question_id, pass, sample
