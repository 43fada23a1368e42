-- Which datasets a file may be of.
--
-- How the staged questions of a split lie to those of a dataset.

-- name: dataset_by_name
SELECT b.name, d.version, d.split, d.language
FROM main.dataset AS d
INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
WHERE lower(d.name) = lower($name)

-- name: splits
SELECT split, min(row) AS row
FROM ({rows})
GROUP BY split
ORDER BY split

-- name: note_datasets
CREATE OR REPLACE TEMP TABLE stage_dataset AS
SELECT
    unnest($split_keys::VARCHAR[]) AS split_key, unnest($dataset_ids::INTEGER[]) AS dataset_id,
    unnest($complete::BOOLEAN[]) AS complete

-- name: datasets_of_benchmark
SELECT
    d.dataset_id, d.name, d.version, d.split, d.language,
    d.dataset_id IN (SELECT s.dataset_id FROM main.dataset_source AS s WHERE s.role = 'questions') AS is_complete
FROM main.dataset AS d
WHERE d.benchmark_id = $benchmark_id
ORDER BY d.dataset_id

-- name: count_of_same_questions
-- CASE spares texts that are alike the comparison as plain text.
SELECT
    count(*) AS n,
    count(*) FILTER (
        CASE
            WHEN $by_key THEN q.question_key IS NOT NULL
            WHEN s.text = q.text OR s.text = '' AND q.text <> '' OR q.text = '' THEN true
            ELSE plain_text(s.text) = plain_text(q.text)
        END
    ) AS n_same,
    (
        SELECT count(*)
        FROM main.question_pass AS p
        INNER JOIN main.question AS k ON p.question_id = k.question_id
        WHERE k.dataset_id = $dataset_id
    ) AS n_known
FROM stage_question AS s
LEFT JOIN (
    SELECT question_key, text FROM main.question WHERE dataset_id = $dataset_id
    UNION ALL
    SELECT question_key, text FROM main.dropped_question WHERE dataset_id = $dataset_id AND restored_by IS NULL
) AS q ON s.question_key = q.question_key
WHERE s.split IS NOT DISTINCT FROM $split

-- name: first_other_question
SELECT s.row, q.text IS NOT NULL AS is_known
FROM stage_question AS s
LEFT JOIN main.question AS q ON s.question_key = q.question_key AND q.dataset_id = $dataset_id
WHERE
    s.split IS NOT DISTINCT FROM $split
    AND (q.text IS NULL OR plain_text(s.text) IS DISTINCT FROM plain_text(q.text))
ORDER BY s.row
LIMIT 1

-- name: is_of_parts
SELECT
    bool_and(
        coalesce(
            (s.flags ->> '$.part[0]')::INTEGER <> $number
            AND (s.flags ->> '$.part[1]')::INTEGER = $count,
            false
        )
    ) AS is_of_parts
FROM main.dataset_source AS d
INNER JOIN main.source AS s ON d.source_id = s.source_id
WHERE d.dataset_id = $dataset_id AND d.role = 'questions'

-- name: overlap
-- The keys that the dataset has too, and those of them that are another question's there.
SELECT
    count(*) AS n_known,
    count(*) FILTER (
        q.text <> '' AND s.text <> '' AND plain_text(q.text) IS DISTINCT FROM plain_text(s.text)
    ) AS n_other
FROM (
    SELECT question_key, arg_min(text, pass) AS text
    FROM stage_question
    WHERE split IS NOT DISTINCT FROM $split
    GROUP BY question_key
) AS s
INNER JOIN main.question AS q ON q.dataset_id = $dataset_id AND s.question_key = q.question_key

-- name: is_reordered
-- Whether the same choices of a question stand in another order.
SELECT EXISTS (
    FROM (
        SELECT question_key, pass, list(plain_text(text) ORDER BY ordinal) AS texts
        FROM stage_choice
        WHERE split IS NOT DISTINCT FROM $split
        GROUP BY question_key, pass
    ) AS s
    INNER JOIN (
        SELECT q.question_key, c.pass, list(plain_text(c.text) ORDER BY c.ordinal) AS texts
        FROM main.question AS q
        INNER JOIN main.choice AS c ON q.question_id = c.question_id
        WHERE
            q.dataset_id = $dataset_id
            AND q.question_key IN (SELECT question_key FROM stage_choice)
        GROUP BY q.question_key, c.pass
    ) AS k
        ON s.question_key = k.question_key AND s.pass = k.pass
    WHERE s.texts <> k.texts AND list_sort(s.texts) = list_sort(k.texts)
)

-- name: digest
SELECT md5(string_agg(row(q.question_key, q.pass, q.text, c.texts)::VARCHAR, chr(10) ORDER BY q.question_key, q.pass))
FROM stage_question AS q
LEFT JOIN (
    SELECT question_key, pass, list(text ORDER BY ordinal) AS texts
    FROM stage_choice
    WHERE split IS NOT DISTINCT FROM $split
    GROUP BY question_key, pass
) AS c ON q.question_key = c.question_key AND q.pass = c.pass
WHERE q.split IS NOT DISTINCT FROM $split
