-- Labels that scorers of an Inspect log read (`stage_scored`), and what people changed in them.

-- name: add_judge
INSERT INTO stage_judge (judge, model, scorer, task, template, sampling, kind)
VALUES ($judge, $model, $scorer, $task, $template, '{}', $kind)

-- name: find_letters
-- What each scorer that asked no model read in each answer. A scorer's own word, before any change.
CREATE OR REPLACE TEMP TABLE stage_letter AS
SELECT
    s.row, s.scorer, s.value, p.split, p.question_key, p.pass, p.sample,
    trim(coalesce(s.answer, '')) AS answer, q.answer AS label, r.labels,
    len(trim(coalesce(s.answer, ''))) = 1 AND contains(r.labels, trim(coalesce(s.answer, '')))
        AS is_label,
    md5(r.prediction) AS prediction, trim(r.prediction) <> '' AS has_text
FROM stage_scored AS s
INNER JOIN stage_place_of_sample AS p ON s.row = p.row
INNER JOIN (
    SELECT
        __row AS row, coalesce(prediction, '') AS prediction,
        substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1, len(from_json(choices, '["VARCHAR"]'))) AS labels
    FROM raw
) AS r ON s.row = r.row
LEFT JOIN stage_question AS q
    ON
        p.split IS NOT DISTINCT FROM q.split
        AND p.question_key = q.question_key
        AND p.pass = q.pass
WHERE
    s.place = 0
    AND s.part IS NULL
    AND NOT EXISTS (FROM stage_said AS g WHERE g.scorer = s.scorer)

-- name: letter_scorers
SELECT scorer
FROM stage_letter
GROUP BY scorer
HAVING
    scorer = 'choice'
    OR (
        bool_and(is_label OR answer = '')
        AND bool_or(is_label)
        AND bool_and(
            label IS NULL
            OR (value IN ('"C"', '1', '1.0', 'true')) = (answer = label)
        )
    )
ORDER BY scorer

-- name: stage_letters
-- The same answer in several epochs is read once. Several labels are none of the choices where one
-- alone is right; where several are, or X is a label, only a label is a verdict.
INSERT INTO stage_judgment
SELECT
    row, $model, split, question_key, pass, sample, $judge, 0, 0, NULL,
    CASE WHEN is_label THEN answer ELSE 'X' END,
    NULL,
    scorer || ': ' || value || CASE WHEN is_label OR answer = '' THEN '' ELSE ' for ' || answer END,
    NULL, NULL, NULL
FROM stage_letter
WHERE
    scorer = $scorer
    AND has_text
    AND (
        is_label
        OR (
            NOT contains(labels, 'X')
            AND (label IS NOT NULL OR answer = '')
            AND value NOT IN ('"C"', '1', '1.0', 'true')
        )
    )
QUALIFY
    row_number() OVER (PARTITION BY split, question_key, pass, prediction ORDER BY sample, row) = 1

-- name: find_changes
-- The last change of each person. On a choice the label that it gives, or else whether it says that
-- the answer is right; on an open question its score.
CREATE OR REPLACE TEMP TABLE stage_change AS
SELECT
    *,
    CASE
        WHEN NOT has_text THEN NULL
        WHEN $is_open
            THEN CASE
                WHEN points BETWEEN 0 AND 1
                    THEN CASE
                        WHEN points IN (0, 1) THEN CAST(CAST(points AS TINYINT) AS VARCHAR)
                        ELSE printf('%.6f', points)
                    END
            END
        WHEN is_new_answer AND len(answer) = 1 AND contains(labels, answer) THEN answer
        WHEN points = 1 THEN label
        WHEN points = 0 AND NOT contains(labels, 'X') THEN 'X'
    END AS reply
FROM (
    SELECT
        s.row, s.scorer, s.author, s.value, s.says, trim(s.answer) AS answer,
        s.answer IS DISTINCT FROM lag(s.answer) OVER (PARTITION BY s.row, s.scorer ORDER BY s.place)
            AS is_new_answer,
        p.split, p.question_key, p.pass, p.sample, q.answer AS label, r.labels, r.has_text,
        row_number() OVER (PARTITION BY s.row, s.scorer, s.author ORDER BY s.place DESC) AS n_after,
        CASE
            WHEN s.value IN ('"C"', 'true') THEN 1.0
            WHEN s.value IN ('"I"', '"N"', 'false') THEN 0.0
            WHEN s.value = '"P"' THEN 0.5
            ELSE TRY_CAST(s.value AS DOUBLE)
        END AS points
    FROM stage_scored AS s
    INNER JOIN stage_place_of_sample AS p ON s.row = p.row
    INNER JOIN (
        SELECT
            __row AS row, trim(coalesce(prediction, '')) <> '' AS has_text,
            substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1, len(from_json(choices, '["VARCHAR"]')))
                AS labels
        FROM raw
    ) AS r ON s.row = r.row
    LEFT JOIN stage_question AS q
        ON
            p.split IS NOT DISTINCT FROM q.split
            AND p.question_key = q.question_key
            AND p.pass = q.pass
    WHERE s.part IS NULL
)
WHERE author IS NOT NULL AND n_after = 1

-- name: people
SELECT DISTINCT author, scorer
FROM stage_change
WHERE reply IS NOT NULL
ORDER BY author, scorer

-- name: stage_changes
INSERT INTO stage_judgment
SELECT
    row, $model, split, question_key, pass, sample, $judge, 0, 0, NULL, reply, NULL,
    scorer || ': ' || value || CASE WHEN says <> '' THEN ' (' || says || ')' ELSE '' END,
    NULL, NULL, NULL
FROM stage_change
WHERE author = $author AND scorer = $scorer AND reply IS NOT NULL

-- name: count_changes
SELECT
    count(*) AS n, count(*) FILTER (reply IS NULL) AS n_unsaid,
    list(DISTINCT author ORDER BY author) AS authors
FROM stage_change
