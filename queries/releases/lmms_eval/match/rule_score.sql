-- What its rule makes of each distinct answer, as lmms-eval's task of the benchmark has it. One row
-- per question and text.
-- @rules yes_no exact contains number anls vqa
-- @predicted What the rule read (yes_no); NULL: nothing, or a rule that compares whole texts.
-- @score 0 to 1; NULL where the rule cannot read the text.
WITH scored AS (
    SELECT
        t.question_id, t.text, t.rule, t.reference,
        CASE
            WHEN t.rule = 'yes_no'
                THEN CASE t.normaliser
                    WHEN 'naturalbench_yes_no' THEN naturalbench_read(t.answer, 'yes_no')
                    WHEN 'naturalbench_letter' THEN naturalbench_read(t.answer, 'multiple_choice')
                    ELSE harness_yes_no(b.benchmark, t.answer)
                END
        END AS predicted,
        CASE
            WHEN t.rule = 'number'
                THEN number_score(t.answer, t.answers, coalesce(t.tolerance, 0.05))
            WHEN t.rule = 'anls' THEN anls_score(t.answer, t.answers)
            WHEN t.rule = 'vqa' THEN vqa_score(t.answer, t.answers)
            WHEN t.rule = 'contains'
                THEN contains_score(t.answer, t.answers, coalesce(t.normaliser, 'lower'))
            WHEN t.rule = 'exact'
                THEN CASE
                    WHEN b.benchmark = 'RealWorldQA' THEN direct_answer_score(t.answer, t.answers)
                    WHEN t.normaliser = 'open' THEN open_answer_score(t.answer, t.answers)
                    ELSE exact_score(t.answer, t.answers, coalesce(t.normaliser, 'lower'))
                END
        END AS score
    FROM ruled_text AS t
    INNER JOIN question_benchmark AS b USING (question_id)
)

-- Every rule in one place: the engine plans what a view reads for each time that it is named.
SELECT
    question_id, text, predicted,
    CASE
        WHEN rule <> 'yes_no' THEN score
        WHEN predicted IS NULL THEN NULL
        WHEN python_lower(predicted) = python_lower(stripped(reference)) THEN 1.0
        ELSE 0.0
    END AS score
FROM scored
