-- What the rule extracted makes of a text, an answer or what a judge extracted from it: of a
-- question with choices the label that it is taken for, else whether it is the reference, in the
-- form that the question wants (its attributes answer_type and precision). One row per question and
-- text.
-- @rules extracted
-- @predicted The label; NULL: a question without choices.
-- @score As an extracted answer, 0 or 1.
-- @score_at_once As an answer that the harness asks no judge about, 0 or 1: nothing, a choice's
--   text, or a number where one is wanted. NULL: a judge has to extract.
WITH form AS (
    SELECT
        question_id, max(CASE WHEN name = 'answer_type' THEN value END) AS answer_type,
        max(CASE WHEN name = 'precision' THEN value END) AS decimals
    FROM main.question_attribute
    WHERE name IN ('answer_type', 'precision')
    GROUP BY question_id
),

right_choice AS (
    SELECT a.question_id, max(a.label) AS label
    FROM main.answer AS a
    INNER JOIN choice_set AS c USING (question_id, pass)
    WHERE a.pass = 0 AND a.superseded_by IS NULL
    GROUP BY a.question_id
),

repeated AS (
    SELECT DISTINCT t.question_id, t.text
    FROM extraction_text AS t
    INNER JOIN main.choice AS o ON t.question_id = o.question_id AND o.pass = 0
    WHERE stripped(t.text) IN ('', o.text)
),

about AS (
    SELECT
        t.question_id, t.text, coalesce(t.text, '') AS read, u.normaliser, c.label, m.matched,
        p.question_id IS NOT NULL AS is_repeated, l.answers, f.answer_type, f.decimals
    FROM extraction_text AS t
    INNER JOIN question_rule AS u USING (question_id)
    LEFT JOIN right_choice AS c USING (question_id)
    LEFT JOIN extraction_label AS m
        ON t.question_id = m.question_id AND t.text IS NOT DISTINCT FROM m.text
    LEFT JOIN repeated AS p
        ON t.question_id = p.question_id AND t.text IS NOT DISTINCT FROM p.text
    LEFT JOIN reference_list AS l ON t.question_id = l.question_id
    LEFT JOIN form AS f ON t.question_id = f.question_id
    WHERE u.rule = 'extracted'
),

scored AS (
    SELECT
        *,
        CASE
            WHEN label IS NOT NULL THEN CASE WHEN matched = label THEN 1.0 ELSE 0.0 END
            WHEN normaliser = 'math' THEN math_score(read, answers)
            WHEN normaliser = 'bare' THEN bare_score(read, answers)
            WHEN normaliser = 'words' THEN worded_score(read, answers)
            ELSE harness_extracted_score(read, answers, answer_type, decimals)
        END AS score
    FROM about
)

SELECT
    question_id, text,
    CASE WHEN label IS NOT NULL THEN matched END AS predicted,
    score,
    CASE
        WHEN stripped(read) = '' OR normaliser IN ('bare', 'words') THEN score
        WHEN label IS NOT NULL THEN CASE WHEN is_repeated THEN score END
        WHEN normaliser = 'math' THEN nullif(score, 0.0)
        WHEN answer_type = 'integer' AND python_int(read) IS NOT NULL THEN score
        WHEN answer_type = 'float' AND python_float(read) IS NOT NULL THEN score
    END AS score_at_once
FROM scored
