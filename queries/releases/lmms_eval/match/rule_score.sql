-- What its rule makes of each distinct answer, as lmms-eval's task of the benchmark has it. One row
-- per question and text.
-- @predicted What the rule read (yes_no); NULL: nothing, or a rule that compares whole texts.
-- @score 0 to 1; NULL where the rule cannot read the text.
WITH yes_no AS (
    SELECT
        t.question_id,
        t.text,
        t.reference,
        CASE t.normaliser
            WHEN 'naturalbench_yes_no' THEN naturalbench_read(t.answer, 'yes_no')
            WHEN 'naturalbench_letter' THEN naturalbench_read(t.answer, 'multiple_choice')
            ELSE harness_yes_no(b.benchmark, t.answer)
        END AS predicted
    FROM ruled_text AS t
    INNER JOIN question_benchmark AS b ON t.question_id = b.question_id
    WHERE t.rule = 'yes_no'
)

SELECT
    question_id,
    text,
    predicted,
    CASE
        WHEN predicted IS NULL THEN NULL
        WHEN python_lower(predicted) = python_lower(stripped(reference)) THEN 1.0
        ELSE 0.0
    END AS score
FROM yes_no
UNION ALL
SELECT
    question_id,
    text,
    CAST(NULL AS VARCHAR) AS predicted,
    number_score(answer, answers, coalesce(tolerance, 0.05)) AS score
FROM ruled_text
WHERE rule = 'number'
UNION ALL
SELECT
    question_id,
    text,
    CAST(NULL AS VARCHAR) AS predicted,
    anls_score(answer, answers) AS score
FROM ruled_text
WHERE rule = 'anls'
UNION ALL
SELECT
    question_id,
    text,
    CAST(NULL AS VARCHAR) AS predicted,
    vqa_score(answer, answers) AS score
FROM ruled_text
WHERE rule = 'vqa'
UNION ALL
SELECT
    t.question_id,
    t.text,
    CAST(NULL AS VARCHAR) AS predicted,
    CASE
        WHEN b.benchmark = 'RealWorldQA' THEN direct_answer_score(t.answer, t.answers)
        WHEN t.normaliser = 'open' THEN open_answer_score(t.answer, t.answers)
        ELSE exact_score(t.answer, t.answers, coalesce(t.normaliser, 'lower'))
    END AS score
FROM ruled_text AS t
INNER JOIN question_benchmark AS b ON t.question_id = b.question_id
WHERE t.rule = 'exact'
UNION ALL
SELECT
    question_id,
    text,
    CAST(NULL AS VARCHAR) AS predicted,
    contains_score(answer, answers, coalesce(normaliser, 'lower')) AS score
FROM ruled_text
WHERE rule = 'contains'
