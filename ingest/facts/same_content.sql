-- Questions that a file numbers otherwise than the dataset. The tables staged hold one file's questions;
-- a staged split of NULL is the key ''.

-- name: are_others
-- Whether a question's key or text is none of the dataset's; else there is nothing to look for.
SELECT EXISTS (
    FROM stage_question AS s
    INNER JOIN stage_aligned_dataset AS d ON coalesce(s.split, '') = d.split_key
    LEFT JOIN main.question AS q
        ON d.dataset_id = q.dataset_id AND s.question_key = q.question_key
    WHERE
        s.text <> ''
        AND CASE
            WHEN q.text IS NULL THEN true
            WHEN q.text = '' OR q.text = s.text THEN false
            ELSE plain_text(q.text) IS DISTINCT FROM plain_text(s.text)
        END
)

-- name: find_told
-- A question's content: its text and the choices of any pass, in any order.
CREATE OR REPLACE TEMP TABLE stage_told AS
WITH first AS (
    SELECT
        coalesce(split, '') AS split_key,
        question_key,
        arg_min(row, pass) AS row,
        arg_min(text, pass) AS text,
        min(image) AS image
    FROM stage_question
    GROUP BY coalesce(split, ''), question_key
)

SELECT
    f.split_key,
    f.question_key,
    f.row,
    plain_text(f.text) AS text,
    list_sort(list(plain_text(c.text)) FILTER (c.label IS NOT NULL)) AS choices,
    CASE
        WHEN regexp_full_match(f.image, '[0-9a-f]{64}( [0-9a-f]{64})*') THEN f.image
        ELSE sha256(f.image)
    END AS images
FROM first AS f
LEFT JOIN stage_choice AS c ON f.row = c.row
WHERE f.text <> ''
GROUP BY ALL

-- name: find_known
CREATE OR REPLACE TEMP TABLE stage_known AS
SELECT
    d.split_key,
    q.question_key,
    plain_text(q.text) AS text,
    list_sort(list(plain_text(c.text)) FILTER (c.label IS NOT NULL)) AS choices,
    any_value(i.images) AS images
FROM stage_aligned_dataset AS d
INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
LEFT JOIN main.choice AS c ON q.question_id = c.question_id AND c.pass = 0
LEFT JOIN (
    SELECT question_id, array_to_string(list(sha256 ORDER BY ordinal), ' ') AS images
    FROM main.question_image
    GROUP BY question_id
) AS i ON q.question_id = i.question_id
WHERE q.text <> ''
GROUP BY d.split_key, q.question_id, q.question_key, q.text

-- name: find_same
-- Pairs of the same content: those of the same key, and those that are each other's only one.
CREATE OR REPLACE TEMP TABLE stage_same AS
WITH alike AS (
    SELECT t.split_key, t.question_key, k.question_key AS known_key
    FROM stage_told AS t
    INNER JOIN stage_known AS k
        ON t.split_key = k.split_key AND t.text = k.text AND t.choices IS NOT DISTINCT FROM k.choices
    WHERE t.images IS NULL OR k.images IS NULL OR t.images = k.images
),

by_key AS (
    SELECT split_key, question_key
    FROM alike
    WHERE question_key = known_key
),

other AS (
    SELECT
        a.*,
        count(*) OVER (PARTITION BY a.split_key, a.question_key) AS n_known,
        count(*) OVER (PARTITION BY a.split_key, a.known_key) AS n_told
    FROM alike AS a
    ANTI JOIN by_key AS b ON a.split_key = b.split_key AND a.question_key = b.question_key
    ANTI JOIN by_key AS c ON a.split_key = c.split_key AND a.known_key = c.question_key
)

SELECT split_key, question_key, question_key AS known_key
FROM by_key
UNION ALL
SELECT split_key, question_key, known_key
FROM other
WHERE n_known = 1 AND n_told = 1

-- name: taken_keys
-- What keeps its key although that is another question's now.
SELECT t.row, t.question_key, s.question_key AS other_key
FROM stage_told AS t
INNER JOIN stage_same AS s ON t.split_key = s.split_key AND t.question_key = s.known_key
ANTI JOIN stage_same AS m ON t.split_key = m.split_key AND t.question_key = m.question_key
ORDER BY t.row
LIMIT 1

-- name: rename
UPDATE {table}
SET question_key = s.known_key
FROM stage_same AS s
WHERE
    coalesce({table}.split, '') = s.split_key
    AND {table}.question_key = s.question_key
    AND s.question_key <> s.known_key

-- name: count_renamed
SELECT count(*) AS n, min(row(question_key, known_key)) AS example
FROM stage_same
WHERE question_key <> known_key
