-- The rule that scores each question of a benchmark that declares rules: the first whose attribute
-- the question has. In a benchmark of choices a question that has references and no choices is one
-- of words: a rule for words without an attribute is for these alone, and where none is declared,
-- theirs is extracted, with what such an answer says by itself (words). One row per question with a
-- rule.
-- @internal
WITH worded AS (
    SELECT DISTINCT a.question_id
    FROM main.reference_answer AS a
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    WHERE b.task = 'choice' AND a.question_id NOT IN (SELECT question_id FROM main.choice)
),

fitting AS (
    SELECT q.question_id, r.rule, r.normaliser, r.tolerance, r.ordinal
    FROM main.benchmark_rule AS r
    INNER JOIN main.benchmark AS b USING (benchmark_id)
    INNER JOIN main.dataset AS d USING (benchmark_id)
    INNER JOIN main.question AS q USING (dataset_id)
    LEFT JOIN main.question_attribute AS a
        ON q.question_id = a.question_id AND r.attribute = a.name
    LEFT JOIN worded AS w ON q.question_id = w.question_id
    WHERE
        r.superseded_by IS NULL
        AND (r.attribute IS NULL OR r.value = a.value)
        AND (
            b.task = 'open'
            OR (r.rule = 'choice' AND w.question_id IS NULL)
            OR (r.rule <> 'choice' AND (r.attribute IS NOT NULL OR w.question_id IS NOT NULL))
        )
    UNION ALL
    SELECT
        question_id, 'extracted' AS rule, 'words' AS normaliser, CAST(NULL AS DOUBLE) AS tolerance,
        CAST(NULL AS INTEGER) AS ordinal
    FROM worded
),

placed AS (
    SELECT
        *, row_number() OVER (PARTITION BY question_id ORDER BY coalesce(ordinal, 1000000)) AS place
    FROM fitting
)

SELECT question_id, rule, normaliser, tolerance
FROM placed
WHERE place = 1
