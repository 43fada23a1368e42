-- The data of the benchmarks. Every value is a hash of what it is about and the seed, so that the
-- same call gives the same data, whichever part of it is made.

-- name: make_leaves
CREATE OR REPLACE TEMP TABLE leaf AS
SELECT generate_subscripts($names, 1) - 1 AS ordinal, unnest($names) AS spelling, unnest($parents) AS parent

-- name: make_items
-- A question has 4 choices and as many passes; with `mixed`, 500 of 2,974 have 3 and 198 have 2,
-- which
-- makes 11,000 passes, as MMBench has about.
CREATE OR REPLACE TEMP TABLE item AS
WITH numbered AS (
    SELECT
        q::INTEGER AS q, (q * 7919) % 2974 AS place,
        ['red', 'tall', 'wet', 'old', 'thin', 'round', 'green', 'small', 'loud', 'plain'] AS looks,
        ['oak', 'glass', 'steel', 'paper'] AS stuffs,
        ['kite', 'lamp', 'boat', 'drum', 'cup', 'gate', 'sock', 'bell', 'plate', 'crane'] AS things,
        ['roof', 'shelf', 'field', 'pier', 'stage'] AS sites
    FROM range(1, $n_questions + 1) AS t (q)
),

shaped AS (
    SELECT
        *,
        CASE WHEN $mixed AND place < 198 THEN 2 WHEN $mixed AND place < 698 THEN 3 ELSE 4 END AS n
    FROM numbered
)

SELECT
    q, n, (hash(q, $seed, 'answer') % n)::INTEGER AS right_choice,
    list_transform(
        range(n),
        lambda o: looks[1 + (q * 37 + o * 503) % 10] || ' '
        || stuffs[1 + ((q * 37 + o * 503) // 10) % 4] || ' '
        || things[1 + ((q * 37 + o * 503) // 40) % 10] || ' on the '
        || sites[1 + ((q * 37 + o * 503) // 400) % 5]
    ) AS choices
FROM shaped

-- name: make_passes
-- Pass p begins with choice p. `said` holds what a model can say for each label, in three forms.
CREATE OR REPLACE TEMP TABLE item_pass AS
WITH turned AS (
    SELECT
        i.q, i.n, p.pass::SMALLINT AS pass,
        ((i.right_choice - p.pass + i.n) % i.n)::INTEGER AS right_label,
        list_transform(range(i.n), lambda o: i.choices[1 + (o + p.pass) % i.n]) AS choices
    FROM item AS i
    CROSS JOIN range(4) AS p (pass)
    WHERE p.pass < i.n AND ($circular OR p.pass = 0)
)

SELECT
    *, list_transform(range(n), lambda o: chr((65 + o)::INTEGER)) AS bare,
    list_transform(range(n), lambda o: 'The answer is ' || chr((65 + o)::INTEGER) || '.') AS spoken,
    list_transform(range(n), lambda o: chr((65 + o)::INTEGER) || '. ' || choices[1 + o]) AS full_text
FROM turned

-- name: question_rows
-- As MMBench's own files have them: index + 1,000,000 × pass, abilities of two levels (the third
-- follows).
SELECT
    p.q + 1000000 * p.pass AS "index", 'What is in picture ' || p.q || '?' AS question, '' AS hint,
    p.choices[1] AS "A", p.choices[2] AS "B", p.choices[3] AS "C", p.choices[4] AS "D",
    chr(65 + p.right_label) AS answer, a.spelling AS category, a.parent AS "l2-category"
FROM item_pass AS p
INNER JOIN leaf AS a ON p.q % (SELECT count(*) FROM leaf) = a.ordinal
ORDER BY p.pass, p.q

-- name: prediction_rows
-- 60 % bare letters, 15 % “The answer is B.”, 20 % “B. text”, 5 % that no rule matches. A model
-- that
-- knows a question gets most of its passes right, else it guesses.
WITH drawn AS (
    SELECT
        r.run::INTEGER AS run, p.q, p.pass, p.n, p.right_label, p.bare, p.spoken, p.full_text,
        hash(r.run, p.q, p.pass, $seed) AS h,
        hash(r.run, p.q, $seed, 'knows') % 1000
        < 200 + hash(r.run, $seed, 'skill') % 700 AS knows
    FROM range($first_run, $end_run) AS r (run)
    CROSS JOIN item_pass AS p
),

picked AS (
    SELECT
        *, h % 100 AS form,
        1 + CASE
            WHEN knows AND (h >> 8) % 50 > 0 THEN right_label
            ELSE ((h >> 16) % n)::INTEGER
        END AS label
    FROM drawn
)

SELECT
    run, q, pass, h,
    CASE
        WHEN form < 5 THEN 'It reminds me of place ' || (h >> 24) % 10000
        WHEN form < 25 THEN full_text[label]
        WHEN form < 40 THEN spoken[label]
        ELSE bare[label]
    END AS text
FROM picked

-- name: file_rows
-- The long format, in no order.
SELECT printf('model-%05d', run) AS model, q::VARCHAR AS question_key, pass, text AS prediction
FROM ({prediction_rows})
ORDER BY h

-- name: insert_models
INSERT INTO main.model (model_id, name, source_id)
SELECT
    (SELECT coalesce(max(model_id), 0) FROM main.model) + run - $first_run + 1,
    printf('model-%05d', run), $source_id
FROM range($first_run, $end_run) AS r (run)

-- name: insert_runs
INSERT INTO main.run (run_id, model_id, dataset_id, label, harness, method, source_id)
SELECT
    (SELECT coalesce(max(run_id), 0) FROM main.run) + row_number() OVER (ORDER BY model_id),
    model_id, (SELECT min(dataset_id) FROM main.dataset), 'bench', 'long', 'generation', $source_id
FROM main.model
WHERE source_id = $source_id AND $first_run < $end_run

-- name: insert_samples
INSERT INTO main.run_sample (run_id, sample)
SELECT run_id, 0
FROM main.run
WHERE source_id = $source_id AND $first_run < $end_run

-- name: insert_predictions
INSERT INTO main.prediction (run_id, question_id, pass, sample, text, failed)
SELECT r.run_id, q.question_id, d.pass, 0, d.text, false
FROM ({prediction_rows}) AS d
INNER JOIN main.model AS m ON printf('model-%05d', d.run) = m.name
INNER JOIN main.run AS r ON m.model_id = r.model_id
INNER JOIN main.question AS q ON d.q::VARCHAR = q.question_key
ORDER BY d.h

-- name: make_subjects
CREATE TEMP TABLE known_subject AS
SELECT DISTINCT subject_hash
FROM latest.subject

-- name: insert_judgments
-- Of every subject in no particular order, as a cache that was filled over time: the first so many.
INSERT INTO main.judgment (
    judgment_id, judge_id, subject_hash, labels, judge_sample, attempt, reply, finish_reason,
    returned_model, prompt_tokens, completion_tokens, cost_usd, latency_seconds, judged_at, source_id,
    request_key, origin
)
SELECT
    (SELECT coalesce(max(judgment_id), 0) FROM main.judgment) + row_number() OVER (), $judge_id,
    subject_hash, ['A', 'B', 'C', 'D', 'X'], 0, 0,
    chr(65 + (hash(subject_hash) % 2)::INTEGER), 'stop', 'bench', 180, 1, 0.00003, 0.5,
    TIMESTAMP '2026-01-01', $source_id, subject_hash, 'cache'
FROM (
    SELECT subject_hash
    FROM known_subject
    ORDER BY subject_hash
    LIMIT $n
)
