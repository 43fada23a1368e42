-- Questions that a file numbers otherwise than the dataset. The tables staged hold one file's
-- questions; a staged split of NULL is the key ''.

-- name: are_others
-- Whether a question's key, text or choices are none of the dataset's; else there is nothing to
-- look for.
SELECT EXISTS (
    FROM stage_question AS s
    INNER JOIN stage_aligned_dataset AS d ON coalesce(s.split, '') = d.split_key
    LEFT JOIN main.question AS q
        ON d.dataset_id = q.dataset_id AND s.question_key = q.question_key
    WHERE
        CASE
            WHEN q.text IS NULL THEN true
            WHEN q.text = '' OR s.text = '' OR q.text = s.text THEN false
            ELSE plain_text(q.text) IS DISTINCT FROM plain_text(s.text)
        END
) OR EXISTS (
    FROM stage_choice AS s
    INNER JOIN stage_aligned_dataset AS d ON coalesce(s.split, '') = d.split_key
    INNER JOIN main.question AS q
        ON d.dataset_id = q.dataset_id AND s.question_key = q.question_key
    LEFT JOIN main.choice AS c
        ON q.question_id = c.question_id AND s.pass = c.pass AND s.label = c.label
    WHERE
        q.text <> ''
        AND CASE
            WHEN s.text = c.text THEN false
            ELSE plain_text(s.text) IS DISTINCT FROM plain_text(c.text)
        END
)

-- name: find_content
-- A question's content: its text and the choices of any pass, in any order.
CREATE OR REPLACE TEMP TABLE stage_content AS
WITH first AS (
    SELECT
        coalesce(split, '') AS split_key, question_key, arg_min(row, pass) AS row,
        arg_min(text, pass) AS text, min(image) AS image
    FROM stage_question
    GROUP BY coalesce(split, ''), question_key
)

SELECT
    f.split_key, f.question_key, f.row, coalesce(plain_text(f.text), '') AS text,
    list_sort(list(plain_text(c.text)) FILTER (c.label IS NOT NULL)) AS choices,
    CASE
        WHEN regexp_full_match(f.image, '[0-9a-f]{64}( [0-9a-f]{64})*') THEN f.image
        ELSE sha256(f.image)
    END AS images
FROM first AS f
LEFT JOIN stage_choice AS c ON f.row = c.row
GROUP BY ALL

-- name: find_known
CREATE OR REPLACE TEMP TABLE stage_known AS
SELECT
    d.split_key, q.question_key, coalesce(plain_text(q.text), '') AS text,
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
GROUP BY d.split_key, q.question_id, q.question_key, q.text

-- name: find_alike
-- Pairs of the same content, and how many each of the two is in.
CREATE OR REPLACE TEMP TABLE stage_alike AS
SELECT
    t.split_key, t.question_key, k.question_key AS known_key,
    count(*) OVER (PARTITION BY t.split_key, t.question_key) AS n_known,
    count(*) OVER (PARTITION BY t.split_key, k.question_key) AS n_staged
FROM stage_content AS t
INNER JOIN stage_known AS k
    ON t.split_key = k.split_key AND t.text = k.text AND t.choices IS NOT DISTINCT FROM k.choices
WHERE t.text <> '' AND (t.images IS NULL OR k.images IS NULL OR t.images = k.images)

-- name: keys_that_hold
-- How many of the file's questions there are, and how many keys mean the same question in the
-- dataset, as far as both sides say.
SELECT
    count(*) AS n,
    count(*) FILTER (
        a.known_key IS NOT NULL
        OR k.question_key IS NOT NULL AND (k.text = '' OR t.text = '')
    ) AS n_holding
FROM stage_content AS t
LEFT JOIN stage_known AS k ON t.split_key = k.split_key AND t.question_key = k.question_key
LEFT JOIN stage_alike AS a
    ON t.split_key = a.split_key AND t.question_key = a.question_key AND a.known_key = a.question_key

-- name: find_same
-- Each other's only one. Where the file's keys hold ($keys_hold), for keys alone that the dataset
-- has not, and no question for which the file has a key already.
CREATE OR REPLACE TEMP TABLE stage_same AS
SELECT a.split_key, a.question_key, a.known_key
FROM stage_alike AS a
LEFT JOIN stage_known AS k ON a.split_key = k.split_key AND a.question_key = k.question_key
LEFT JOIN stage_content AS t ON a.split_key = t.split_key AND a.known_key = t.question_key
WHERE
    a.n_known = 1
    AND a.n_staged = 1
    AND (NOT $keys_hold OR k.question_key IS NULL AND t.question_key IS NULL)

-- name: count_same
SELECT (SELECT count(*) FROM stage_same) AS n_same, count(DISTINCT question_key) AS n
FROM stage_question
WHERE split IS NOT DISTINCT FROM $split

-- name: doubtful_keys
-- Where keys do not hold: a question that is none of the dataset's by content, or one of several,
-- under a key that the dataset has, or of content that it has.
SELECT t.row, t.question_key, count(a.known_key) AS n_alike
FROM stage_content AS t
ANTI JOIN stage_same AS s ON t.split_key = s.split_key AND t.question_key = s.question_key
LEFT JOIN stage_alike AS a ON t.split_key = a.split_key AND t.question_key = a.question_key
LEFT JOIN stage_known AS k ON t.split_key = k.split_key AND t.question_key = k.question_key
WHERE a.known_key IS NOT NULL OR k.question_key IS NOT NULL
GROUP BY t.row, t.question_key
ORDER BY t.row
LIMIT 1

-- name: renamed
SELECT question_key, known_key
FROM stage_same
WHERE question_key <> known_key
ORDER BY question_key

-- name: rename
UPDATE {table}
SET question_key = s.known_key
FROM stage_same AS s
WHERE coalesce({table}.split, '') = s.split_key AND {table}.question_key = s.question_key

-- name: any_renamed
-- Whether any file may have had its questions renamed: flags are JSON.
SELECT EXISTS (FROM main.source WHERE flags LIKE '%"keys"%')

-- name: keys_of_runs
-- The keys that were renamed when the runs were read, for runs whose answers a file may judge.
SELECT DISTINCT s.flags ->> '$.keys' AS keys
FROM main.run AS r
INNER JOIN main.source AS s ON r.source_id = s.source_id
WHERE
    r.model_id = $model_id
    AND r.dataset_id IN (SELECT dataset_id FROM stage_dataset)
    AND r.method = 'generation'
    AND r.superseded_by IS NULL
    AND r.retracted_at IS NULL
    AND ($label IS NULL OR r.label = $label)
    AND ($harness = 'unknown' OR r.harness = $harness)

-- name: rename_judged
UPDATE {table}
SET question_key = s.known_key
FROM stage_renamed AS s
WHERE {table}.model = s.model AND {table}.question_key = s.question_key

-- name: keys_of_no_question
-- A key that the run's file does not have, and that is another question's in the dataset.
SELECT j.row, j.question_key, j.model
FROM (
    SELECT row, question_key, model FROM stage_judgment
    UNION ALL
    SELECT row, question_key, model FROM stage_log
) AS j
INNER JOIN stage_renamed AS s ON j.model = s.model AND j.question_key = s.known_key
ANTI JOIN stage_renamed AS k ON j.model = k.model AND j.question_key = k.question_key
ORDER BY j.row
LIMIT 1

-- name: create_renamed
CREATE OR REPLACE TEMP TABLE stage_renamed (
    model VARCHAR, question_key VARCHAR, known_key VARCHAR
)
