-- Where two datasets of a benchmark disagree about a question, its choices or its answer. Questions
-- are the same by key, else by content: text and choices of pass 0, in any order. One row per
-- ordered pair of datasets and disagreement; give both datasets in a query, or every pair is
-- compared.
-- @dataset One of the two.
-- @other_dataset The other one.
-- @other_dataset_id The other one, as in main.dataset.
-- @question_key The question's key in dataset; NULL: it has no such question.
-- @other_question_key The question's key in other_dataset; NULL: it has no such question.
-- @matched_by key, content, or NULL where one of the two has no such question.
-- @pass The pass; NULL: all of the question.
-- @field What they disagree about: question (text, or whether there is one), pass (whether there is
--   one), choice, order (the same choices under other letters), answer or reference.
-- @label The choice's label; NULL where field is not choice.
-- @value What dataset says; NULL: nothing.
-- @other_value What other_dataset says; NULL: nothing.
-- @is_spelling Whether the two differ only as a spreadsheet changes texts: 4 and 4.0, None and
--   nothing, white space, case.
WITH pair AS (
    SELECT
        a.dataset_id, a.name AS dataset, b.dataset_id AS other_dataset_id, b.name AS other_dataset
    FROM main.dataset AS a
    INNER JOIN main.dataset AS b USING (benchmark_id)
    WHERE a.dataset_id <> b.dataset_id
),

choice_text AS (
    SELECT
        question_id, pass, array_to_string(list_sort(list(label || ': ' || text)), '; ') AS content
    FROM main.choice
    GROUP BY question_id, pass
),

-- Named several times below.
matched AS (
    SELECT *
    FROM matched_question
),

both_passes AS (
    SELECT m.*, p.pass, p.answer, o.answer AS other_answer, c.content, d.content AS other_content
    FROM matched AS m
    INNER JOIN dataset_pass AS p USING (question_id)
    INNER JOIN dataset_pass AS o ON m.other_question_id = o.question_id AND p.pass = o.pass
    LEFT JOIN choice_text AS c ON p.question_id = c.question_id AND p.pass = c.pass
    LEFT JOIN choice_text AS d ON o.question_id = d.question_id AND o.pass = d.pass
),

labelled AS (
    SELECT
        b.dataset_id, b.other_dataset_id, b.question_id, b.other_question_id, b.matched_by, b.pass,
        c.label, c.text AS value, CAST(NULL AS VARCHAR) AS other_value
    FROM both_passes AS b
    INNER JOIN main.choice AS c USING (question_id, pass)
    WHERE coalesce(b.content, '') <> coalesce(b.other_content, '')
    UNION ALL
    SELECT
        b.dataset_id, b.other_dataset_id, b.question_id, b.other_question_id, b.matched_by, b.pass,
        d.label, CAST(NULL AS VARCHAR) AS value, d.text AS other_value
    FROM both_passes AS b
    INNER JOIN main.choice AS d ON b.other_question_id = d.question_id AND b.pass = d.pass
    WHERE coalesce(b.content, '') <> coalesce(b.other_content, '')
),

paired AS (
    SELECT
        dataset_id, other_dataset_id, question_id, other_question_id, matched_by, pass, label,
        max(value) AS value, max(other_value) AS other_value
    FROM labelled
    GROUP BY dataset_id, other_dataset_id, question_id, other_question_id, matched_by, pass, label
),

choices AS (
    SELECT
        *,
        CASE
            WHEN value = other_value THEN 'same'
            WHEN plain_cell(value) = plain_cell(other_value) THEN 'spelling'
            ELSE 'other'
        END AS likeness
    FROM paired
),

-- Passes in which the same choices stand under other letters.
reordered AS (
    SELECT dataset_id, other_dataset_id, question_id, other_question_id, pass
    FROM choices
    WHERE likeness = 'other'
    GROUP BY dataset_id, other_dataset_id, question_id, other_question_id, pass
    HAVING
        array_to_string(list_sort(list(hex(plain_cell(value)))), ',')
        = array_to_string(list_sort(list(hex(plain_cell(other_value)))), ',')
),

reference AS (
    SELECT question_id, array_to_string(list_sort(list(text)), '; ') AS content
    FROM main.reference_answer
    GROUP BY question_id
),

found AS (
    SELECT
        p.dataset_id, p.other_dataset_id, q.question_id, CAST(NULL AS INTEGER) AS other_question_id,
        CAST(NULL AS VARCHAR) AS matched_by, CAST(NULL AS SMALLINT) AS pass, 'question' AS field,
        CAST(NULL AS VARCHAR) AS label, q.text AS value, CAST(NULL AS VARCHAR) AS other_value,
        false AS is_spelling
    FROM pair AS p
    INNER JOIN main.question AS q USING (dataset_id)
    WHERE NOT EXISTS (
        SELECT 1
        FROM matched AS m
        WHERE m.other_dataset_id = p.other_dataset_id AND m.question_id = q.question_id
    )
    UNION ALL
    SELECT
        p.dataset_id, p.other_dataset_id, CAST(NULL AS INTEGER) AS question_id,
        o.question_id AS other_question_id, CAST(NULL AS VARCHAR) AS matched_by,
        CAST(NULL AS SMALLINT) AS pass, 'question' AS field, CAST(NULL AS VARCHAR) AS label,
        CAST(NULL AS VARCHAR) AS value, o.text AS other_value, false AS is_spelling
    FROM pair AS p
    INNER JOIN main.question AS o ON p.other_dataset_id = o.dataset_id
    WHERE NOT EXISTS (
        SELECT 1
        FROM matched AS m
        WHERE m.dataset_id = p.dataset_id AND m.other_question_id = o.question_id
    )
    UNION ALL
    SELECT
        m.*, CAST(NULL AS SMALLINT) AS pass, 'question' AS field, CAST(NULL AS VARCHAR) AS label,
        q.text AS value, o.text AS other_value,
        plain_cell(q.text) = plain_cell(o.text) AS is_spelling
    FROM matched AS m
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.question AS o ON m.other_question_id = o.question_id
    WHERE q.text <> o.text
    UNION ALL
    SELECT
        m.*, p.pass, 'pass' AS field, CAST(NULL AS VARCHAR) AS label, c.content AS value,
        CAST(NULL AS VARCHAR) AS other_value, false AS is_spelling
    FROM matched AS m
    INNER JOIN main.question_pass AS p USING (question_id)
    LEFT JOIN choice_text AS c USING (question_id, pass)
    WHERE NOT EXISTS (
        SELECT 1
        FROM main.question_pass AS o
        WHERE o.question_id = m.other_question_id AND o.pass = p.pass
    )
    UNION ALL
    SELECT
        m.*, o.pass, 'pass' AS field, CAST(NULL AS VARCHAR) AS label,
        CAST(NULL AS VARCHAR) AS value, c.content AS other_value, false AS is_spelling
    FROM matched AS m
    INNER JOIN main.question_pass AS o ON m.other_question_id = o.question_id
    LEFT JOIN choice_text AS c ON o.question_id = c.question_id AND o.pass = c.pass
    WHERE NOT EXISTS (
        SELECT 1
        FROM main.question_pass AS p
        WHERE p.question_id = m.question_id AND p.pass = o.pass
    )
    UNION ALL
    SELECT
        b.dataset_id, b.other_dataset_id, b.question_id, b.other_question_id, b.matched_by, b.pass,
        'order' AS field, CAST(NULL AS VARCHAR) AS label, b.content AS value,
        b.other_content AS other_value, false AS is_spelling
    FROM both_passes AS b
    INNER JOIN reordered AS r USING (question_id, other_question_id, pass)
    UNION ALL
    SELECT
        c.dataset_id, c.other_dataset_id, c.question_id, c.other_question_id, c.matched_by, c.pass,
        'choice' AS field, c.label, c.value, c.other_value, c.likeness = 'spelling' AS is_spelling
    FROM choices AS c
    WHERE
        c.likeness <> 'same'
        AND NOT EXISTS (
            SELECT 1
            FROM reordered AS r
            WHERE
                r.question_id = c.question_id
                AND r.other_question_id = c.other_question_id
                AND r.pass = c.pass
        )
    UNION ALL
    SELECT
        b.dataset_id, b.other_dataset_id, b.question_id, b.other_question_id, b.matched_by, b.pass,
        'answer' AS field, CAST(NULL AS VARCHAR) AS label,
        b.answer || coalesce(': ' || c.text, '') AS value,
        b.other_answer || coalesce(': ' || d.text, '') AS other_value, false AS is_spelling
    FROM both_passes AS b
    LEFT JOIN main.choice AS c
        ON b.question_id = c.question_id AND b.pass = c.pass AND b.answer = c.label
    LEFT JOIN main.choice AS d
        ON b.other_question_id = d.question_id AND b.pass = d.pass AND b.other_answer = d.label
    LEFT JOIN reordered AS r
        ON
            b.question_id = r.question_id
            AND b.other_question_id = r.other_question_id
            AND b.pass = r.pass
    -- Under other letters the right choice is known by its text.
    WHERE
        CASE
            WHEN r.pass IS NULL THEN b.answer <> b.other_answer
            ELSE plain_cell(c.text) <> plain_cell(d.text)
        END
    UNION ALL
    SELECT
        m.*, CAST(NULL AS SMALLINT) AS pass, 'reference' AS field, CAST(NULL AS VARCHAR) AS label,
        q.content AS value, o.content AS other_value,
        plain_cell(q.content) = plain_cell(o.content) AS is_spelling
    FROM matched AS m
    INNER JOIN reference AS q USING (question_id)
    INNER JOIN reference AS o ON m.other_question_id = o.question_id
    WHERE q.content <> o.content
)

SELECT
    p.dataset, p.other_dataset, f.dataset_id, f.other_dataset_id, q.question_key,
    o.question_key AS other_question_key, f.matched_by, f.pass, f.field, f.label, f.value,
    f.other_value, f.is_spelling
FROM found AS f
INNER JOIN pair AS p USING (dataset_id, other_dataset_id)
LEFT JOIN main.question AS q USING (question_id)
LEFT JOIN main.question AS o ON f.other_question_id = o.question_id
