-- What the rule extracted makes of a text, an answer or what a judge extracted from it: of a
-- question with choices the label that it names, else whether it is the reference, in the form that
-- the question wants (its attributes answer_type and precision). One row per question and text.
-- @rules extracted
-- @predicted The label; NULL: none, or a question without choices.
-- @score As an extracted answer, 0 or 1; NULL: it cannot be read.
-- @score_at_once As an answer that no judge has looked at, 0 or 1; NULL: a judge has to.
WITH form AS (
    SELECT
        question_id, max(CASE WHEN name = 'answer_type' THEN value END) AS answer_type,
        max(CASE WHEN name = 'precision' THEN as_number(value) END) AS decimals
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

about AS (
    SELECT
        t.question_id, t.text, rule_text(t.text) AS read, u.normaliser, c.label, m.matched,
        l.answers, f.answer_type, f.decimals, s.score AS stated_score
    FROM extraction_text AS t
    INNER JOIN question_rule AS u USING (question_id)
    LEFT JOIN right_choice AS c USING (question_id)
    LEFT JOIN extraction_label AS m
        ON t.question_id = m.question_id AND t.text IS NOT DISTINCT FROM m.text
    LEFT JOIN reference_list AS l ON t.question_id = l.question_id
    LEFT JOIN form AS f ON t.question_id = f.question_id
    LEFT JOIN stated_answer AS s ON t.question_id = s.question_id AND t.text = s.text
    WHERE u.rule = 'extracted'
),

scored AS (
    SELECT
        *,
        CASE
            WHEN label IS NOT NULL
                THEN CASE WHEN matched = label THEN 1.0 WHEN matched IS NOT NULL THEN 0.0 END
            WHEN normaliser = 'math' THEN math_score(read, answers)
            WHEN normaliser = 'bare' THEN coalesce(bare_score(read, answers), stated_score)
            WHEN normaliser = 'words' THEN coalesce(worded_score(read, answers), stated_score)
            ELSE extracted_score(read, answers, answer_type, decimals)
        END AS score
    FROM about
)

SELECT
    question_id, text,
    CASE WHEN label IS NOT NULL THEN matched END AS predicted,
    score,
    CASE
        WHEN label IS NOT NULL OR normaliser IN ('bare', 'words') THEN score
        WHEN normaliser = 'math' THEN nullif(score, 0.0)
        ELSE extracted_at_once(read, answer_type, score)
    END AS score_at_once
FROM scored
