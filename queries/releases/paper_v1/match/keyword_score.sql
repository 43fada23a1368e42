-- The free baseline for answers in words: the share of a reference's parts (between <AND>) of which
-- one alternative (between <OR>) occurs in the answer, both in lower case; of several references
-- the best. One row per subject whose question has a reference.
-- @question_id The first question with that content.
-- @n_parts Parts of the reference that matches best; the most, if several do.
WITH divided AS (
    SELECT
        s.question_id, s.subject_hash, python_lower(s.text) AS text_lower,
        list_filter(
            string_split(
                replace(replace(r.text, '<AND> ', '<AND>'), ' <AND>', '<AND>'), '<AND>'
            ),
            lambda x_: replace(replace(x_, '<OR>', ''), ' ', '') <> ''
        ) AS parts
    FROM open_subject AS s
    INNER JOIN main.reference_answer AS r USING (question_id)
),

counted AS (
    SELECT
        question_id, subject_hash, array_length(parts) AS n_parts,
        array_length(
            list_filter(
                parts,
                lambda x_: array_length(
                    list_filter(
                        string_split(
                            replace(replace(x_, '<OR> ', '<OR>'), ' <OR>', '<OR>'), '<OR>'
                        ),
                        lambda y_: y_ <> '' AND contains(text_lower, python_lower(y_))
                    )
                ) > 0
            )
        ) AS n_found
    FROM divided
),

shared AS (
    SELECT question_id, subject_hash, n_parts, CAST(n_found AS DOUBLE) / n_parts AS score
    FROM counted
    WHERE n_parts > 0
),

ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY subject_hash ORDER BY score DESC, n_parts DESC, question_id
        ) AS place
    FROM shared
)

SELECT question_id, subject_hash, CAST(n_parts AS BIGINT) AS n_parts, score
FROM ordered
WHERE place = 1
