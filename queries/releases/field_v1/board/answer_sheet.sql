-- Every answer with all that its score rests on: the question, its choices, what the model said,
-- how it was read, what a judge replied, and the verdict. One row per run, question, pass, sample,
-- component, judge and judge sample; wrong answers are those with score = 0.
-- @question The question's text.
-- @choices The choices of the pass, as label: text.
-- @answer The right label, or the reference where there is one alone; NULL: hidden, or several.
-- @answer_text The text of the right choice, or the references of a question in words.
-- @prediction The model's raw output; NULL: no answer, or a run that ranked choices.
-- @cell What became of the spreadsheet cell that it stood in: recovered from a formula, cut at
--   32,767 characters, or a formula's value; NULL: it says what was written.
-- @reading What the rules read in it; NULL: nothing.
-- @rule Which rule read it; of a question in words the rule that scores it.
-- @evidence The words that the reading rests on, where the release names them; NULL: the whole
--   answer, or no reading.
-- @reply What the judge replied, verbatim; NULL: it was not asked.
-- @verdict What the answer was taken for: a label, X for none of the choices, or what a rule read.
-- @score 0 to 1; NULL while pending, or where the answer is hidden.
-- @resolved_by rule, judge, random, unresolved, pending, missing, ranked or graded.
-- @abilities Those of the question, from above to below.
WITH choice_text AS (
    SELECT
        question_id, pass, array_to_string(list_sort(list(label || ': ' || text)), ' | ') AS choices
    FROM main.choice
    GROUP BY question_id, pass
),

reference_text AS (
    SELECT question_id, array_to_string(list_sort(list(text)), ' | ') AS texts
    FROM main.reference_answer
    GROUP BY question_id
),

-- Together before the rest: each join is as wide as what stands before it.
said AS (
    SELECT s.run_id, s.question_id, s.pass, s.sample, s.text, m.matched, m.rule, m.evidence
    FROM main.prediction AS s
    LEFT JOIN choice_reading AS m
        ON s.run_id = m.run_id AND s.question_id = m.question_id AND s.pass = m.pass AND s.sample = m.sample
),

-- A number before each name puts them in order, and goes again.
ability_text AS (
    SELECT
        l.question_id,
        list_sort(
            list(
                substring(
                    '000000000' || CAST(t.ordinal AS VARCHAR), length(CAST(t.ordinal AS VARCHAR)) + 1
                ) || t.ability
            )
        ) AS names
    FROM question_level AS l
    INNER JOIN main.question AS q USING (question_id)
    INNER JOIN main.dataset AS d USING (dataset_id)
    INNER JOIN ability_tree AS t USING (benchmark_id, ability_id)
    WHERE t.ability_id > 0
    GROUP BY l.question_id
)

SELECT
    p.run_id, p.model, p.run, r.benchmark, p.dataset, p.question_id, p.question_key, p.pass,
    p.sample, p.component, q.text AS question, o.choices, p.answer,
    coalesce(c.text, e.texts) AS answer_text, s.text AS prediction, y.value AS cell,
    coalesce(
        CASE WHEN p.task = 'choice' THEN s.matched END,
        CASE WHEN p.resolved_by IN ('rule', 'ranked') THEN p.predicted END
    ) AS reading,
    CASE p.task WHEN 'choice' THEN s.rule WHEN 'rule' THEN u.rule END AS rule,
    CASE WHEN p.task = 'choice' THEN s.evidence END AS evidence, p.judge,
    p.judge_sample, g.reply, p.predicted AS verdict, p.score, p.resolved_by,
    array_to_string(list_transform(a.names, lambda x_: substring(x_, 10)), ' / ') AS abilities,
    r.is_latest
FROM pass_result AS p
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
LEFT JOIN said AS s USING (run_id, question_id, pass, sample)
LEFT JOIN choice_text AS o USING (question_id, pass)
LEFT JOIN reference_text AS e USING (question_id)
LEFT JOIN ability_text AS a USING (question_id)
LEFT JOIN question_rule AS u USING (question_id)
LEFT JOIN answer_judgment AS j
    USING (run_id, question_id, pass, sample, component, judge, judge_sample)
LEFT JOIN main.choice AS c
    ON p.question_id = c.question_id AND p.pass = c.pass AND p.answer = c.label AND p.task = 'choice'
LEFT JOIN main.answer_attribute AS y
    ON
        p.run_id = y.run_id
        AND p.question_id = y.question_id
        AND p.pass = y.pass
        AND p.sample = y.sample
        AND y.name = 'cell'
LEFT JOIN main.judgment AS g ON j.judgment_id = g.judgment_id
