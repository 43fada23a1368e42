-- What evalscope 1.14's rule makes of each distinct answer. One row per question and text.
-- @rules yes_no exact contains number anls vqa
-- @predicted What the rule read (yes_no); NULL: nothing, or a rule that compares whole texts.
-- @score 0 to 1; NULL where the rule cannot read the text.
WITH read AS (
    SELECT
        *, answer_line(answer) AS line,
        CASE WHEN rule = 'yes_no' THEN whole_verdict(answer) END AS predicted
    FROM ruled_text
)

SELECT
    question_id, text, predicted,
    CASE
        WHEN rule = 'yes_no' AND predicted IS NULL THEN NULL
        WHEN rule = 'yes_no' THEN CASE WHEN predicted = python_lower(stripped(reference)) THEN 1.0 ELSE 0.0 END
        WHEN rule = 'number' THEN number_score(coalesce(line, ''), answers, coalesce(tolerance, 0.05))
        WHEN rule = 'anls' THEN anls_score(coalesce(line, answer), answers)
        WHEN rule = 'contains' THEN contains_score(answer, answers, coalesce(normaliser, 'lower'))
        WHEN rule = 'vqa' THEN vqa_score(answer, answers)
        WHEN normaliser = 'open' THEN open_answer_score(coalesce(line, answer), answers)
        -- To real_world_qa a reply without such a line says nothing.
        ELSE exact_score(line, answers, 'lower')
    END AS score
FROM read
