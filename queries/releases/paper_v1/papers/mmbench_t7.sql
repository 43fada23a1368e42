-- MMBench, Table 7: answers that exact match counts as wrong and a judge gives 4 or 5. One row per
-- answer of a model's latest run and judge that gives marks.
-- @question The question's text.
-- @references_text The question's references, by the alphabet, with a bar between.
-- @prediction The model's raw output.
-- @mark 4 to 5; the mean, where there are several judge samples.
WITH marked AS (
    SELECT judge, run_id, question_id, sample, avg(mark) AS mark
    FROM mark_result
    WHERE mark IS NOT NULL
    GROUP BY judge, run_id, question_id, sample
),

listed AS (
    SELECT question_id, array_to_string(list_sort(list(text)), ' | ') AS references_text
    FROM main.reference_answer
    GROUP BY question_id
)

SELECT
    e.dataset, m.judge, e.run_id, e.model, e.question_id, e.question_key, e.sample,
    q.text AS question, l.references_text, e.prediction, m.mark
FROM exact_match AS e
INNER JOIN marked AS m USING (run_id, question_id, sample)
INNER JOIN current_run AS r USING (run_id)
INNER JOIN main.question AS q USING (question_id)
INNER JOIN listed AS l USING (question_id)
WHERE e.score = 0 AND m.mark >= 4 AND r.is_latest
