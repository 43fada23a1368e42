-- What texts state that are more than an answer, for questions without choices whose rule was
-- inferred: the last statement, as choice_reader finds it, compared with the references in the same
-- form. Where the references are letters, the letters at its head, in any order; else it has to be
-- nothing but an answer, as the macro bare_score has it. One row per question and text read.
-- @internal
-- @rules extracted
-- @stated The words of the answer, as the reader has them.
-- @score Whether they are a reference, 0 or 1.
WITH asked AS (
    SELECT t.question_id, t.text, rule_text(t.text) AS said, FALSE AS is_reference
    FROM extraction_text AS t
    INNER JOIN question_rule AS u USING (question_id)
    WHERE u.rule = 'extracted' AND u.normaliser IN ('bare', 'words')
    UNION ALL
    SELECT r.question_id, r.text, r.text AS said, TRUE AS is_reference
    FROM main.reference_answer AS r
    INNER JOIN question_rule AS u USING (question_id)
    WHERE u.rule = 'extracted' AND u.normaliser IN ('bare', 'words')
),

-- A number or a letter alone states itself.
plain AS (
    SELECT said, is_reference, reading_plain(reading_ends(said)) AS plain
    FROM asked
    WHERE is_reference OR (length(stripped(said)) > 1 AND plain_number(said) IS NULL)
    GROUP BY said, is_reference
),

worded AS (
    SELECT
        said, is_reference,
        each_replaced(reading_labels(reading_tokens(plain)), ' (?:answers|options|choices|letters)  are ', ' answer  is ')
            AS tokens
    FROM plain
),

counted AS (
    SELECT said, is_reference, reading_numbers(tokens) AS tokens
    FROM worded
),

measured AS (
    SELECT said, is_reference, reading_units(tokens) AS tokens
    FROM counted
),

cued AS (
    SELECT
        said, is_reference,
        CASE WHEN is_reference THEN tokens ELSE reading_cues(tokens) END AS cues
    FROM measured
),

lined AS (
    SELECT
        said, is_reference,
        stated_line(CASE WHEN is_reference THEN cues ELSE reading_statements(cues) END) AS line
    FROM cued
),

rested AS (
    SELECT
        said, is_reference, line,
        CASE WHEN is_reference THEN line ELSE stated_rest(line) END AS rest
    FROM lined
),

parted AS (
    SELECT
        said, is_reference, stated_letters(line, rest) AS letters,
        translate(stated_part(line, rest), '⌖⌘', '') AS part
    FROM rested
),

compared AS (
    SELECT
        a.question_id, a.text, a.is_reference, p.letters, p.part, plain_number(p.part) AS number,
        list_sort(answer_words(p.part)) AS words
    FROM asked AS a
    INNER JOIN parted AS p USING (said, is_reference)
),

-- Each text beside each reference of its question.
paired AS (
    SELECT
        s.question_id, s.text,
        CASE WHEN are_letters(r.part) THEN s.letters ELSE s.part END AS stated,
        CASE
            WHEN are_letters(r.part)
                THEN CASE WHEN s.letters = r.letters THEN 1.0 WHEN s.letters <> '' THEN 0.0 END
            WHEN s.part = r.part OR s.number = r.number THEN 1.0
            WHEN r.number IS NOT NULL
                THEN CASE WHEN s.number IS NOT NULL AND contains(s.part, '%') = contains(r.part, '%') THEN 0.0 END
            WHEN truth_opposite(r.part) IS NOT NULL THEN CASE WHEN s.part = truth_opposite(r.part) THEN 0.0 END
            WHEN s.part <> '' AND s.words <> r.words AND array_length(s.words) <= array_length(r.words)
                AND NOT regexp_matches(s.part, '[^ a-z0-9]')
                THEN 0.0
        END AS score
    FROM compared AS s
    INNER JOIN compared AS r USING (question_id)
    WHERE r.is_reference AND NOT s.is_reference
)

-- It is wrong where it is none of them and could have been each.
SELECT question_id, text, max(stated) AS stated, CAST(max(score) AS DOUBLE) AS score
FROM paired
GROUP BY question_id, text
HAVING max(score) = 1.0 OR count(score) = count(*)
