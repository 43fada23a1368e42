-- Questions that two datasets of a benchmark share: by key, else by content: text and choices of
-- pass 0, in any order. One row per ordered pair of datasets and question that both have; give both
-- datasets in a query, or every pair is compared.
-- @internal
-- @other_dataset_id The other dataset, as in main.dataset.
-- @other_question_id The question in the other dataset, as in main.question.
-- @matched_by key or content.
WITH pair AS (
    SELECT a.dataset_id, b.dataset_id AS other_dataset_id
    FROM main.dataset AS a
    INNER JOIN main.dataset AS b USING (benchmark_id)
    WHERE a.dataset_id <> b.dataset_id
),

by_key AS (
    SELECT
        p.dataset_id, p.other_dataset_id, q.question_id, o.question_id AS other_question_id,
        'key' AS matched_by
    FROM pair AS p
    INNER JOIN main.question AS q USING (dataset_id)
    INNER JOIN main.question AS o
        ON p.other_dataset_id = o.dataset_id AND q.question_key = o.question_key
),

-- What no key matches, counted among questions of the same content.
keyless AS (
    SELECT p.dataset_id, p.other_dataset_id, q.question_id, q.text
    FROM pair AS p
    INNER JOIN main.question AS q USING (dataset_id)
    WHERE NOT EXISTS (
        SELECT 1
        FROM by_key AS k
        WHERE
            k.dataset_id = p.dataset_id
            AND k.other_dataset_id = p.other_dataset_id
            AND k.question_id = q.question_id
    )
),

keyless_choices AS (
    SELECT
        k.dataset_id, k.other_dataset_id, k.question_id,
        array_to_string(list_sort(list(hex(plain_cell(c.text)))), ',') AS texts
    FROM keyless AS k
    INNER JOIN main.choice AS c USING (question_id)
    WHERE c.pass = 0
    GROUP BY k.dataset_id, k.other_dataset_id, k.question_id
),

content AS (
    SELECT
        k.dataset_id, k.other_dataset_id, k.question_id,
        sha256(hex(plain_cell(k.text)) || ',' || coalesce(c.texts, '-')) AS content
    FROM keyless AS k
    LEFT JOIN keyless_choices AS c USING (dataset_id, other_dataset_id, question_id)
),

alone AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY dataset_id, other_dataset_id, content ORDER BY question_id
        ) AS number
    FROM content
)

SELECT *
FROM by_key
UNION ALL
SELECT
    a.dataset_id, a.other_dataset_id, a.question_id, b.question_id AS other_question_id,
    'content' AS matched_by
FROM alone AS a
INNER JOIN alone AS b
    ON
        a.dataset_id = b.other_dataset_id
        AND a.other_dataset_id = b.dataset_id
        AND a.content = b.content
        AND a.number = b.number
