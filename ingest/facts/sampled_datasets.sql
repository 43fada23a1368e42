-- How the staged questions of a split lie to those of a dataset.

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
