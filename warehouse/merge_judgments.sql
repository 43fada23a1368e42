-- Judgments of another warehouse, after the merge_… tables of merge_maps.sql and merge_runs.sql
-- were made.

-- name: find_respelled
-- A subject is known by a hash of raw texts. Where theirs are spelled otherwise than those that
-- will hold here, what was said of them would be about nothing here.
CREATE OR REPLACE TEMP TABLE merge_respelled AS
WITH pairs AS (
    SELECT q.id AS question_id, q.other_id, hex(m.text) AS text, hex(o.text) AS other_text
    FROM merge_question AS q
    INNER JOIN main.question AS m ON q.id = m.question_id
    INNER JOIN the_other.main.question AS o ON q.other_id = o.question_id
    WHERE NOT q.is_new AND m.text <> '' AND o.text <> ''
),

choices_here AS (
    SELECT question_id, pass, array_to_string(list_sort(list(hex(label) || '=' || hex(text))), ',') AS content
    FROM main.choice
    WHERE question_id IN (SELECT question_id FROM pairs)
    GROUP BY question_id, pass
),

choices_there AS (
    SELECT question_id, pass, array_to_string(list_sort(list(hex(label) || '=' || hex(text))), ',') AS content
    FROM the_other.main.choice
    WHERE question_id IN (SELECT other_id FROM pairs)
    GROUP BY question_id, pass
),

references_here AS (
    SELECT question_id, array_to_string(list_sort(list(hex(text))), ',') AS content
    FROM main.reference_answer
    WHERE question_id IN (SELECT question_id FROM pairs)
    GROUP BY question_id
),

references_there AS (
    SELECT question_id, array_to_string(list_sort(list(hex(text))), ',') AS content
    FROM the_other.main.reference_answer
    WHERE question_id IN (SELECT other_id FROM pairs)
    GROUP BY question_id
),

-- What is not known here comes over, and is theirs on both sides.
spelled AS (
    SELECT
        p.question_id, p.other_id, t.pass,
        'choice_extraction/1,' || p.text || ',[' || coalesce(h.content, t.content) || '],' AS content,
        'choice_extraction/1,' || p.other_text || ',[' || t.content || '],' AS other_content
    FROM pairs AS p
    INNER JOIN choices_there AS t ON p.other_id = t.question_id
    LEFT JOIN choices_here AS h ON p.question_id = h.question_id AND t.pass = h.pass
    UNION ALL
    SELECT
        p.question_id, p.other_id, NULL AS pass,
        'open_answer/1,' || p.text || ',[' || coalesce(h.content, t.content, '') || '],' AS content,
        'open_answer/1,' || p.other_text || ',[' || coalesce(t.content, '') || '],' AS other_content
    FROM pairs AS p
    LEFT JOIN references_there AS t ON p.other_id = t.question_id
    LEFT JOIN references_here AS h ON p.question_id = h.question_id
    WHERE p.other_id NOT IN (SELECT question_id FROM choices_there)
)

SELECT *
FROM spelled
WHERE content <> other_content

-- name: find_subjects
-- A hash cannot be read back, so it is made of every answer that either side has to such a
-- question.
CREATE OR REPLACE TEMP TABLE merge_subject AS
WITH said AS (
    SELECT question_id AS other_id, run_id AS other_run_id, pass, text
    FROM the_other.main.prediction
    WHERE question_id IN (SELECT other_id FROM merge_respelled) AND text IS NOT NULL
    UNION
    SELECT r.other_id, NULL AS other_run_id, p.pass, p.text
    FROM main.prediction AS p
    INNER JOIN merge_respelled AS r ON p.question_id = r.question_id
    WHERE p.text IS NOT NULL
)

SELECT DISTINCT
    s.other_run_id, sha256(r.other_content || hex(s.text)) AS other_hash,
    sha256(r.content || hex(s.text)) AS hash
FROM said AS s
INNER JOIN merge_respelled AS r ON s.other_id = r.other_id AND (r.pass IS NULL OR s.pass = r.pass)

-- name: map_judgments
-- Of a judge that is retracted there and counts here, nothing more is taken.
CREATE OR REPLACE TEMP TABLE merge_judgment AS
WITH of_runs AS (
    SELECT other_run_id, other_hash, min(hash) AS hash
    FROM merge_subject
    GROUP BY other_run_id, other_hash
),

of_any AS (
    SELECT other_hash, min(hash) AS hash
    FROM merge_subject
    GROUP BY other_hash
),

there AS (
    SELECT
        o.judgment_id AS other_id, j.id AS judge_id, r.id AS run_id,
        -- The same words can stand under several questions, of which one is spelled otherwise.
        coalesce(own.hash, f.hash, o.subject_hash) AS subject_hash,
        f.hash IS NOT NULL AS is_respelled, q.id AS question_id, {not_mapped}, o.request_key
    FROM the_other.main.judgment AS o
    INNER JOIN merge_judge AS j ON o.judge_id = j.other_id
    INNER JOIN the_other.main.judge AS t ON o.judge_id = t.judge_id
    LEFT JOIN main.judge AS h ON NOT j.is_new AND j.id = h.judge_id
    LEFT JOIN merge_run AS r ON o.run_id = r.other_id
    LEFT JOIN merge_question AS q ON o.question_id = q.other_id
    LEFT JOIN of_runs AS own
        ON coalesce(o.run_id, o.asked_run_id) = own.other_run_id AND o.subject_hash = own.other_hash
    LEFT JOIN of_any AS f ON o.subject_hash = f.other_hash
    WHERE j.is_new OR t.retracted_at IS NULL OR h.retracted_at IS NOT NULL
),

found AS (
    SELECT
        t.*,
        NOT EXISTS (
            SELECT 1
            FROM main.judgment AS g
            WHERE
                g.judge_id = t.judge_id
                AND {is_same}
        )
        -- The same request was answered on both sides: what was said here holds.
        AND NOT EXISTS (
            SELECT 1
            FROM main.judgment AS g
            WHERE
                g.judge_id = t.judge_id
                AND g.request_key = t.request_key
                AND g.error IS NULL
                AND t.error IS NULL
        ) AS is_new
    FROM there AS t
)

SELECT
    other_id, judge_id, {of}, is_respelled, is_new,
    (SELECT coalesce(max(judgment_id), 0) FROM main.judgment)
    + row_number() OVER (PARTITION BY is_new ORDER BY other_id) AS id
FROM found
