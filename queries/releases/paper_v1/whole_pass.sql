-- What the rules and the ranking make of each pass that a run answered: where a question wants a text and an image, both have to be there, and both right. One row per run, question, pass and sample.
-- @is_answered 1 if every component is there and inference did not fail.
-- @is_right 1 if every component is the answer.
-- @is_open 1 if the rules match nothing and a judge can tell more.
WITH ranked AS (
    SELECT
        k.run_id,
        k.question_id,
        k.pass,
        k.sample,
        k.component,
        CASE WHEN k.picked IS NOT NULL THEN 1 ELSE 0 END AS is_answered,
        CASE WHEN k.picked = d.answer THEN 1 ELSE 0 END AS is_right
    FROM ranked_pick AS k
    INNER JOIN dataset_pass AS d ON k.question_id = d.question_id AND k.pass = d.pass
)

SELECT
    m.run_id,
    m.question_id,
    m.pass,
    m.sample,
    CASE WHEN m.state <> 'failed' THEN 1 ELSE 0 END AS is_answered,
    CASE WHEN m.matched = d.answer THEN 1 ELSE 0 END AS is_right,
    CASE WHEN m.state = 'open' THEN 1 ELSE 0 END AS is_open
FROM choice_match AS m
INNER JOIN dataset_pass AS d ON m.question_id = d.question_id AND m.pass = d.pass
UNION ALL
SELECT
    run_id,
    question_id,
    pass,
    sample,
    is_answered,
    is_right,
    0 AS is_open
FROM ranked
WHERE component = 'answer'
UNION ALL
SELECT
    run_id,
    question_id,
    pass,
    sample,
    CASE WHEN count(*) = 2 THEN min(is_answered) ELSE 0 END AS is_answered,
    CASE WHEN count(*) = 2 THEN min(is_right) ELSE 0 END AS is_right,
    0 AS is_open
FROM ranked
WHERE component <> 'answer'
GROUP BY run_id, question_id, pass, sample
