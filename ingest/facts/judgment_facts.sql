-- From staged judgments to what was judged: the question, its choices or references, and the text.
--
-- The runs that a file's judgments graded. `stage_dataset` may hold several datasets for a split.
--
-- What a judge said before, and what a file says that it judged.

-- name: any_staged
SELECT row FROM stage_judgment
UNION ALL
SELECT row FROM stage_log
LIMIT 1

-- name: unknown_passes
SELECT j.row, g.question_key, j.pass
FROM stage_judgment AS j
INNER JOIN stage_graded AS g ON j.row = g.row
ANTI JOIN main.question_pass AS p ON g.question_id = p.question_id AND j.pass = p.pass
ORDER BY j.row
LIMIT 1

-- name: judgments_without_judge
SELECT row
FROM stage_judgment
WHERE nullif(trim(judge), '') IS NULL
ORDER BY row
LIMIT 1

-- name: labels_that_are_no_choice
SELECT j.row, g.question_key, j.reply
FROM stage_judgment AS j
INNER JOIN stage_graded AS g ON j.row = g.row
ANTI JOIN main.choice AS c
    ON g.question_id = c.question_id AND j.pass = c.pass AND j.reply = c.label
WHERE j.reply <> 'X'
ORDER BY j.row
LIMIT 1

-- name: scores_out_of_range
-- Written in any other way, views could not read what was said.
SELECT row, reply
FROM stage_judgment
WHERE NOT regexp_full_match(reply, '0|1|0?\.[0-9]+|1\.0+')
ORDER BY row
LIMIT 1

-- name: marks_out_of_range
SELECT row, reply
FROM stage_judgment
WHERE NOT regexp_full_match(reply, '[1-5](\.0+)?')
ORDER BY row
LIMIT 1

-- name: write_marks_as_digits
UPDATE stage_judgment
SET reply = reply[1]

-- name: judges
SELECT DISTINCT judge
FROM stage_judgment
ORDER BY judge

-- name: description_of_a_judge
SELECT model, task, template, sampling, kind
FROM stage_judge
WHERE judge = $judge

-- name: find_former_runs
-- The runs that were here when the same file was first read, and whose places others have taken.
CREATE OR REPLACE TEMP TABLE stage_former_run AS
SELECT now.run_id, min(f.run_id) AS former_run_id
FROM main.run AS now
INNER JOIN main.run AS f
    ON
        now.model_id = f.model_id
        AND now.dataset_id = f.dataset_id
        AND now.label = f.label
        AND f.superseded_by IS NOT NULL
WHERE
    now.run_id IN (SELECT run_id FROM stage_graded)
    AND f.run_id IN (
        SELECT j.run_id
        FROM main.judgment AS j
        INNER JOIN main.source AS s ON j.source_id = s.source_id
        INNER JOIN main.source AS this ON s.sha256 = this.sha256
        WHERE this.source_id = $source_id
    )
GROUP BY now.run_id

-- name: collect_answers
-- The judgments, each with the answer that the run has. A text that pandas reads as nothing, it
-- hands on as the text nan.
CREATE OR REPLACE TEMP TABLE stage_judged_answer AS
SELECT
    j.row, g.question_key, g.question_id, g.run_id, j.pass, j.judge, j.judge_sample, j.attempt,
    j.reply, j.error, j.log, j.stated, j.score, j.word, j.sample, j.prediction, p.text,
    p.run_id IS NOT NULL
    AND j.prediction = 'nan'
    AND (
        nullif(trim(p.text), '') IS NULL
        OR p.text IN (
            '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>', 'N/A',
            'NA', 'NULL', 'NaN', 'None', 'n/a', 'null'
        )
    ) AS is_nothing
FROM stage_judgment AS j
INNER JOIN stage_graded AS g ON j.row = g.row
LEFT JOIN main.prediction AS p
    ON
        g.run_id = p.run_id
        AND g.question_id = p.question_id
        AND j.pass = p.pass
        AND j.sample = p.sample
        AND NOT p.failed

-- name: collect_own_subjects
-- A text that the file says was judged is the run's own where a spreadsheet alone can have changed
-- it, or pandas, which reads a blank cell and some words as nothing.
CREATE OR REPLACE TEMP TABLE stage_subject AS
SELECT
    * EXCLUDE (prediction, text), is_nothing OR judged_text IS NOT DISTINCT FROM text AS is_own,
    nullif(trim(judged_text), '') IS NULL AS is_left_out
FROM (
    SELECT
        *,
        CASE
            WHEN is_nothing THEN coalesce(nullif(trim(text), ''), prediction)
            WHEN prediction IS NULL OR prediction = text THEN text
            WHEN plain_text(prediction) IS NOT DISTINCT FROM plain_text(text) THEN text
            ELSE prediction
        END AS judged_text
    FROM stage_judged_answer
)

-- name: collect_subjects
-- The same where runs have taken the places of others: a file that does not say what was judged,
-- judged the texts that the run had when the same file was first read.
CREATE OR REPLACE TEMP TABLE stage_subject AS
SELECT
    * EXCLUDE (prediction, text), is_nothing OR judged_text IS NOT DISTINCT FROM text AS is_own,
    nullif(trim(judged_text), '') IS NULL AS is_left_out
FROM (
    SELECT
        a.*,
        CASE
            WHEN a.is_nothing THEN coalesce(nullif(trim(a.text), ''), a.prediction)
            WHEN a.prediction IS NULL THEN CASE WHEN f.run_id IS NOT NULL THEN o.text ELSE a.text END
            WHEN a.prediction = a.text THEN a.text
            WHEN plain_text(a.prediction) IS NOT DISTINCT FROM plain_text(a.text) THEN a.text
            ELSE a.prediction
        END AS judged_text
    FROM stage_judged_answer AS a
    LEFT JOIN stage_former_run AS f ON a.run_id = f.run_id
    LEFT JOIN main.prediction AS o
        ON
            f.former_run_id = o.run_id
            AND a.question_id = o.question_id
            AND a.pass = o.pass
            AND a.sample = o.sample
            AND NOT o.failed
)

-- name: keep_blank_texts
-- An empty cell is judged as an empty text, where the run has the answer at all.
UPDATE stage_subject
SET judged_text = coalesce(judged_text, ''), is_left_out = false

-- name: count_texts
SELECT
    count(*) FILTER (is_left_out) AS n_without,
    count(*) FILTER (NOT is_left_out AND NOT is_own) AS n_other,
    coalesce(bool_and(reply IS NULL AND coalesce(stated, '') IN ('word', 'hit')), false) AS are_stated
FROM stage_subject

-- name: plan_samples
INSERT INTO main.judge_sample
SELECT DISTINCT $judge_id, s.judge_sample, $source_id
FROM stage_subject AS s
ANTI JOIN main.judge_sample AS k ON k.judge_id = $judge_id AND s.judge_sample = k.judge_sample
WHERE s.judge = $judge
ORDER BY ALL

-- name: count_samples
SELECT count(DISTINCT judge_sample) AS n
FROM stage_subject
WHERE judge = $judge

-- name: bind_rows
-- The rows with judgments, each with the question that it may be of in each dataset of the file.
CREATE OR REPLACE TEMP TABLE stage_grade_row AS
WITH known AS (
    SELECT d.split_key, q.question_key, q.question_id, q.dataset_id
    FROM stage_dataset AS d
    INNER JOIN main.question AS q ON d.dataset_id = q.dataset_id
    UNION ALL
    -- Judgments of answers to dropped questions are kept.
    SELECT d.split_key, q.question_key, q.question_id, q.dataset_id
    FROM stage_dataset AS d
    INNER JOIN main.dropped_question AS q ON d.dataset_id = q.dataset_id AND q.restored_by IS NULL
)

SELECT g.row, g.model, g.split_key, g.question_key, k.question_id, k.dataset_id
FROM (
    SELECT row, model, coalesce(split, '') AS split_key, question_key FROM stage_judgment
    UNION
    SELECT row, model, coalesce(split, '') AS split_key, question_key FROM stage_log
) AS g
LEFT JOIN known AS k ON g.split_key = k.split_key AND g.question_key = k.question_key

-- name: unknown_questions
SELECT row, question_key
FROM stage_grade_row
WHERE question_id IS NULL
ORDER BY row
LIMIT 1

-- name: live_runs
-- The runs of each model and dataset of the file; one row without a run where there is none.
WITH pairs AS (
    SELECT min(row) AS row, model, split_key, dataset_id
    FROM stage_grade_row
    WHERE question_id IS NOT NULL
    GROUP BY model, split_key, dataset_id
),

named AS (
    SELECT model_id, name, name AS known_as FROM main.model
    UNION ALL
    SELECT m.model_id, m.name, a.alias AS known_as
    FROM main.model_alias AS a
    INNER JOIN main.model AS m ON a.model_id = m.model_id
    ANTI JOIN main.model AS n ON a.alias = n.name
)

SELECT p.row, p.model, p.split_key, p.dataset_id, d.name AS dataset, m.name, r.run_id, r.label
FROM pairs AS p
INNER JOIN main.dataset AS d ON p.dataset_id = d.dataset_id
LEFT JOIN named AS m ON p.model = m.known_as
LEFT JOIN main.run AS r
    ON
        m.model_id = r.model_id
        AND p.dataset_id = r.dataset_id
        AND r.method = 'generation'
        AND r.superseded_by IS NULL
        AND r.retracted_at IS NULL
ORDER BY p.row, p.dataset_id, p.model, p.split_key, r.run_id

-- name: bind
CREATE OR REPLACE TEMP TABLE stage_graded AS
SELECT g.row, g.model, g.question_key, g.question_id, r.run_id
FROM stage_grade_row AS g
INNER JOIN stage_run AS r
    ON g.model = r.model AND g.split_key = r.split_key AND g.dataset_id = r.dataset_id

-- name: is_each_of_one_run
-- NULL where a question is unknown.
SELECT
    count(DISTINCT row) = (
        SELECT CASE WHEN count(*) = count(question_id) THEN count(DISTINCT row) END FROM stage_grade_row
    )
    AND count(*) = count(DISTINCT row(row, question_key)) AS is_so
FROM stage_graded

-- name: questions_without_run
SELECT g.row, g.question_key, g.model
FROM stage_grade_row AS g
ANTI JOIN stage_graded AS b ON g.row = b.row
ORDER BY g.row
LIMIT 1

-- name: questions_of_several_datasets
SELECT row, question_key
FROM stage_graded
GROUP BY row, question_key
HAVING count(*) > 1
ORDER BY row
LIMIT 1

-- name: prompts_of_a_judge
SELECT row, judge_sample, prompt
FROM stage_prompt
WHERE judge = $judge

-- name: known_judgments
SELECT {of}, reply, error, score, word
FROM main.judgment
WHERE
    judge_id = $judge_id
    AND run_id IN (SELECT DISTINCT run_id FROM stage_graded)

-- name: subjects_of_a_judge
WITH choices AS (
    SELECT
        c.question_id, c.pass, list(c.label ORDER BY c.ordinal) AS labels,
        list(c.text ORDER BY c.ordinal) AS texts
    FROM main.choice AS c
    SEMI JOIN stage_subject AS s ON c.question_id = s.question_id AND c.pass = s.pass
    GROUP BY c.question_id, c.pass
),

refs AS (
    SELECT question_id, list(text ORDER BY ordinal) AS texts
    FROM main.reference_answer
    WHERE question_id IN (SELECT question_id FROM stage_subject)
    GROUP BY question_id
)

SELECT
    s.row, s.question_key, s.run_id, q.text AS question, c.labels, c.texts, r.texts AS refs,
    s.judged_text, s.judge_sample, s.attempt, s.reply, s.error, s.log, s.stated, s.score, s.word,
    s.pass, s.sample,
    CASE WHEN s.is_own THEN s.question_id END AS own_question_id
FROM stage_subject AS s
INNER JOIN main.question AS q ON s.question_id = q.question_id
LEFT JOIN choices AS c ON s.question_id = c.question_id AND s.pass = c.pass
LEFT JOIN refs AS r ON s.question_id = r.question_id
WHERE s.judge = $judge AND NOT s.is_left_out
ORDER BY s.row, s.pass, s.judge_sample, s.attempt

-- name: stated_subjects_of_a_judge
-- The same of verdicts without replies, each of one answer alone, whatever its question says.
SELECT
    row, question_key, run_id, NULL AS question, NULL AS labels, NULL AS texts, NULL AS refs,
    judged_text, judge_sample, attempt, reply, error, log, stated, score, word, pass, sample,
    CASE WHEN is_own THEN question_id END AS own_question_id
FROM stage_subject
WHERE judge = $judge AND NOT is_left_out
ORDER BY row, pass, judge_sample, attempt
