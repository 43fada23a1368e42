-- The rule that scores each question of a benchmark that declares rules: the first whose attribute
-- the question has. One row per question with a rule.
-- @internal
WITH fitting AS (
    SELECT
        q.question_id,
        r.rule,
        r.normaliser,
        r.tolerance,
        row_number() OVER (PARTITION BY q.question_id ORDER BY r.ordinal) AS place
    FROM main.benchmark_rule AS r
    INNER JOIN main.dataset AS d ON r.benchmark_id = d.benchmark_id
    INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
    LEFT JOIN main.question_attribute AS a
        ON q.question_id = a.question_id AND r.attribute = a.name
    WHERE r.superseded_by IS NULL AND (r.attribute IS NULL OR r.value = a.value)
)

SELECT
    question_id,
    rule,
    normaliser,
    tolerance
FROM fitting
WHERE place = 1
