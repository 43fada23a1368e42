-- Which choice a text names, by evalscope's rule for letters; to cmmmu by what is there most often,
-- and to real_world_qa the line behind ANSWER: has to be the label. One row per question, pass and
-- text.
-- @matched The label; NULL: no match, which evalscope counts wrong.
-- @rule letter. NULL: none.
-- @state matched, open, blank, or failed.
WITH found AS (
    SELECT
        t.question_id, t.pass, t.text, r.state,
        CASE b.benchmark
            WHEN 'RealWorldQA'
                THEN list_max(
                    list_filter(c.labels, lambda x_: python_lower(x_) = python_lower(answer_line(t.text)))
                )
            WHEN 'cmmmu' THEN m.matched
            WHEN 'MMStar' THEN nullif(marked_letter(t.text, 'ABCD'), '')
            ELSE nullif(marked_letter(t.text, array_to_string(list_sort(c.labels), '')), '')
        END AS label
    FROM answer_text AS t
    INNER JOIN text_reading AS r ON t.text IS NOT DISTINCT FROM r.text
    INNER JOIN question_benchmark AS b ON t.question_id = b.question_id
    INNER JOIN choice_set AS c ON t.question_id = c.question_id AND t.pass = c.pass
    LEFT JOIN counted_choice AS m
        ON t.question_id = m.question_id AND t.pass = m.pass AND t.text = m.text
)

SELECT
    question_id, pass, text, label AS matched, CASE WHEN label IS NOT NULL THEN 'letter' END AS rule,
    CASE WHEN label IS NOT NULL THEN 'matched' ELSE state END AS state
FROM found
